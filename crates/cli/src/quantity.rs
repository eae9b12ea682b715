//! Numbers, durations and sizes as people write them on a command line.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// Reads a whole number of the range.
pub(crate) fn number<N: Copy + Display + FromStr + PartialOrd>(
    range: RangeInclusive<N>,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        text.parse()
            .ok()
            .filter(|number| range.contains(number))
            .ok_or_else(|| format!("write a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Reads a whole number.
pub(crate) fn any_number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "write a whole number, as in 100".to_owned())
}

/// `300ms`, `5s`, `2m`, `1.5h`, `1d`; a bare number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86400.0), ("", 1.0)];
    scaled(text, &units)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "a duration is a number followed by ms, s, m, h or d, as in 30s".to_owned())
}

/// `512M`, `2G`, `100K`; a bare number is bytes.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let [k, m, g] = [1024.0, 1024.0 * 1024.0, 1024.0 * 1024.0 * 1024.0];
    let text = text.strip_suffix("iB").or_else(|| text.strip_suffix('B')).unwrap_or(text);
    let units = [("K", k), ("k", k), ("M", m), ("G", g), ("", 1.0)];
    scaled(text, &units)
        .filter(|bytes| *bytes >= 1.0)
        .map(|bytes| bytes as u64)
        .ok_or_else(|| "a size is a number followed by K, M or G, as in 512M".to_owned())
}

fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let (number, scale) = units.iter().find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, scale)))?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    number.parse::<f64>().ok().filter(|_| plain).map(|number| number * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_limits() {
        assert_eq!(number(1..=8)("8"), Ok(8));
        for wrong in ["0", "9", "x", "-1", "", "1.5"] {
            assert_eq!(number(1..=8)(wrong), Err("write a whole number from 1 to 8".to_owned()));
        }
        assert_eq!(any_number("0"), Ok(0));
        assert!(any_number("-1").is_err());
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("300ms"), Ok(Duration::from_millis(300)));
        assert_eq!(duration("5"), Ok(Duration::from_secs(5)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        for wrong in ["", "s", "-5s", "5 parsecs", "0", "1e400d", "nan", "inf"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("100"), Ok(100));
        for wrong in ["", "M", "-1G", "0", "lots"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
