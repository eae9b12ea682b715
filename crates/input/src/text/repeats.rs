//! Many equal units in a row: it only matters how many of them are removed, not which.

use std::ops::Range;

/// Joins equal units in a row into ranges of one, one, two, four, eight units and so on. So any number of them can be removed
/// with few tests, and a single one is still tried.
pub(crate) fn put_together(bytes: &[u8], units: impl IntoIterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut together: Vec<Range<usize>> = Vec::new();
    // How many equal units there are in this row so far, and how many of them are in the last range.
    let (mut row, mut last) = (0, 0);
    let mut before = 0..0;
    for unit in units {
        let is_alike = before.end == unit.start && bytes[before.clone()] == bytes[unit.clone()];
        match together.last_mut() {
            // The first two units stay single; after that, each range is as long as all before it in the row.
            Some(range) if is_alike && row >= 2 && last < (row + 1) / 2 => {
                range.end = unit.end;
                last += 1;
            }
            _ => {
                together.push(unit.clone());
                last = 1;
            }
        }
        row = if is_alike { row + 1 } else { 1 };
        before = unit;
    }
    together
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_row_becomes_few_ranges_and_other_units_stay() {
        let text = format!("ab{}cc", "x".repeat(1_000));
        let ranges = put_together(text.as_bytes(), (0..text.len()).map(|at| at..at + 1));
        assert!(ranges.len() < 20, "{ranges:?}");
        assert_eq!(ranges[..4], [0..1, 1..2, 2..3, 3..4]);
        assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!(ranges[ranges.len() - 2..], [text.len() - 2..text.len() - 1, text.len() - 1..text.len()]);
    }
}
