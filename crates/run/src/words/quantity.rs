//! Numbers for people: counts, durations, sizes and dates, each with one format.

use std::time::Duration;

/// A number with its noun, in the singular or the plural: `1 test`, `2 tests`, `8,721 lines`.
#[must_use]
pub fn count(number: u64, noun: &str) -> String {
    let number_in_words = thousands(number);
    if number == 1 {
        format!("{number_in_words} {noun}")
    } else {
        format!("{number_in_words} {}", plural(noun))
    }
}

/// The plural of a noun.
#[must_use]
pub fn plural(noun: &str) -> String {
    if let Some((head, rest)) = noun.split_once(" of ") {
        return format!("{} of {rest}", plural(head));
    }
    if let Some(stem) = noun.strip_suffix("vertex") {
        return format!("{stem}vertices");
    }
    let consonant_before_y =
        noun.strip_suffix('y').filter(|stem| !stem.is_empty() && !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match consonant_before_y {
        Some(stem) => format!("{stem}ies"),
        None if noun.ends_with(['s', 'x']) || noun.ends_with("ch") => format!("{noun}es"),
        None => format!("{noun}s"),
    }
}

/// A number in a sequence: `1st`, `2nd`, `11th`, `23rd`.
#[must_use]
pub fn ordinal(number: u64) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{}{suffix}", thousands(number))
}

/// A number with commas between its thousands: `8,721`.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A duration with a suitable precision: `12 ms`, `4.2 s`, `3 min 12 s`, `20 h 5 min`.
#[must_use]
pub fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 0.000_5 {
        return "0 ms".to_owned();
    }
    if seconds < 0.999_5 {
        return format!("{:.0} ms", seconds * 1e3);
    }
    if seconds < 9.95 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3_600 => pair(whole / 60, "min", whole % 60, "s"),
        3_600..172_800 => pair(whole / 3_600, "h", whole % 3_600 / 60, "min"),
        _ => pair(whole / 86_400, "d", whole % 86_400 / 3_600, "h"),
    }
}

fn pair(large: u64, large_unit: &str, small: u64, small_unit: &str) -> String {
    match small {
        0 => format!("{large} {large_unit}"),
        _ => format!("{large} {large_unit} {small} {small_unit}"),
    }
}

/// A duration from the seconds in a journal. An invalid number counts as zero.
#[must_use]
pub fn seconds(seconds: f64) -> String {
    duration(Duration::try_from_secs_f64(seconds).unwrap_or_default())
}

/// The size of a file: `1 byte`, `512 bytes`, `12.3 kB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    let scaled = |unit: f64, name: &str| format!("{:.1} {name}", bytes as f64 / unit);
    match bytes {
        0..1_000 => count(bytes, "byte"),
        1_000..999_950 => scaled(1e3, "kB"),
        999_950..999_950_000 => scaled(1e6, "MB"),
        _ => scaled(1e9, "GB"),
    }
}

/// A limit of bytes as people write it in flags: `100 MiB` for `100M`; others as a size.
#[must_use]
pub fn size_limit(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let exact = units.into_iter().find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit));
    exact.map_or_else(|| size(bytes), |(unit, name)| format!("{} {name}", thousands(bytes / unit)))
}

/// A fraction as a percentage: `97.5 %`.
#[must_use]
pub fn percent(part: f64) -> String {
    let text = format!("{:.1}", part * 100.0);
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

/// Seconds since 1970 as a date and time: `2026-03-01 21:07 UTC`.
#[must_use]
pub fn moment(since_1970: u64) -> String {
    let (days, second) = (since_1970 / 86_400, since_1970 % 86_400);
    // Howard Hinnant's algorithm: years start in March, so the leap day is the last day of its year.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", second / 3_600, second % 3_600 / 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_everything_else_plural() {
        assert_eq!(count(0, "test"), "0 tests");
        assert_eq!(count(1, "test"), "1 test");
        assert_eq!(count(8721, "line"), "8,721 lines");
        assert_eq!(count(2, "directory"), "2 directories");
        assert_eq!(count(2, "key"), "2 keys");
        assert_eq!(count(2, "process"), "2 processes");
        assert_eq!(count(2, "vertex"), "2 vertices");
        assert_eq!(count(2, "pair of delimiters"), "2 pairs of delimiters");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }

    #[test]
    fn ordinals_have_the_right_suffix() {
        let said: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 112, 1_003].into_iter().map(ordinal).collect();
        assert_eq!(said.join(" "), "1st 2nd 3rd 4th 11th 12th 13th 21st 112th 1,003rd");
    }

    #[test]
    fn durations_never_round_up_to_sixty_of_anything() {
        let said = |seconds: f64| duration(Duration::from_secs_f64(seconds));
        assert_eq!(said(0.0), "0 ms");
        assert_eq!(said(0.012), "12 ms");
        assert_eq!(said(0.999_9), "1.0 s");
        assert_eq!(said(4.21), "4.2 s");
        assert_eq!(said(9.97), "10 s");
        assert_eq!(said(59.7), "1 min");
        assert_eq!(said(192.0), "3 min 12 s");
        assert_eq!(said(3_599.9), "1 h");
        assert_eq!(said(72_300.0), "20 h 5 min");
        assert_eq!(said(200_000.0), "2 d 7 h");
        assert_eq!(seconds(f64::NAN), "0 ms");
    }

    #[test]
    fn sizes_and_parts() {
        assert_eq!(size_limit(100 << 20), "100 MiB");
        assert_eq!(size_limit(1_500 << 10), "1,500 KiB");
        assert_eq!(size_limit(1_000_000), "1.0 MB");
        assert_eq!(size_limit(0), "0 bytes");
        assert_eq!(size(1), "1 byte");
        assert_eq!(size(999), "999 bytes");
        assert_eq!(size(12_345), "12.3 kB");
        assert_eq!(size(999_999), "1.0 MB");
        assert_eq!(percent(0.975), "97.5 %");
        assert_eq!(percent(1.0), "100 %");
    }

    #[test]
    fn moments_know_leap_days() {
        assert_eq!(moment(0), "1970-01-01 00:00 UTC");
        assert_eq!(moment(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(moment(1_772_399_220), "2026-03-01 21:07 UTC");
    }
}
