//! Whether names of revisions are in the order of their numbers.

use std::cmp::Ordering;
use std::collections::HashMap;

/// The order of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameOrder<'a> {
    /// From smaller numbers to larger ones, or no numbers contradict it.
    OldestFirst,
    /// From larger numbers to smaller ones.
    NewestFirst,
    /// Neither: of these two, the first has the larger numbers and comes before the second.
    Mixed(&'a str, &'a str),
}

/// The order of names. Only names that differ in nothing but numbers are compared, such as 1.9 and 1.10; whether 2.0-rc1 comes
/// before 2.0 cannot be told from the names. Hashes have no order.
pub(super) fn order_of(names: &[String]) -> NameOrder<'_> {
    if are_hashes(names) || !names.iter().all(|name| name.contains(|letter: char| letter.is_ascii_digit())) {
        return NameOrder::OldestFirst;
    }
    // The last name of each form.
    let mut last: HashMap<String, (&str, Vec<&str>)> = HashMap::new();
    let (mut ups, mut first_down) = (0_usize, None);
    for name in names {
        let (form, numbers) = form_and_numbers(name);
        if let Some((before, numbers_before)) = last.get(&form) {
            match by_size(numbers_before, &numbers) {
                Ordering::Less => ups += 1,
                Ordering::Greater if first_down.is_none() => first_down = Some((*before, name.as_str())),
                _ => {}
            }
        }
        last.insert(form, (name, numbers));
    }
    match first_down {
        None => NameOrder::OldestFirst,
        Some(_) if ups == 0 => NameOrder::NewestFirst,
        Some((before, name)) => NameOrder::Mixed(before, name),
    }
}

/// Names that are hexadecimal and not all of them numbers.
fn are_hashes(names: &[String]) -> bool {
    let is_hexadecimal = |name: &String| name.len() >= 7 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = |name: &String| name.bytes().all(|byte| byte.is_ascii_digit());
    names.iter().all(is_hexadecimal) && !names.iter().all(is_number)
}

/// A name with its numbers taken out, and the numbers.
fn form_and_numbers(name: &str) -> (String, Vec<&str>) {
    let (mut form, mut numbers) = (String::new(), Vec::new());
    let mut rest = name;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (text, from_number) = rest.split_at(start);
        let end = from_number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(from_number.len());
        let (number, after) = from_number.split_at(end);
        form += text;
        form.push('0');
        numbers.push(number);
        rest = after;
    }
    form += rest;
    (form, numbers)
}

fn by_size(one: &[&str], other: &[&str]) -> Ordering {
    let plain = |number: &&str| number.trim_start_matches('0').to_owned();
    // Of two numbers the one with more digits is the larger one.
    let key = |numbers: &[&str]| -> Vec<(usize, String)> {
        numbers.iter().map(plain).map(|number| (number.len(), number)).collect()
    };
    key(one).cmp(&key(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_order(names: &str, check: impl Fn(NameOrder<'_>)) {
        let names: Vec<String> = names.split_whitespace().map(str::to_owned).collect();
        check(order_of(&names));
    }

    fn is(names: &str, expected: NameOrder<'_>) {
        with_order(names, |order| assert_eq!(order, expected, "{names}"));
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        is("1.8 1.9 1.10 1.11", NameOrder::OldestFirst);
        is("r9 r10 r099 r100", NameOrder::OldestFirst);
        is("1.10 1.9 1.8", NameOrder::NewestFirst);
        is("1.1 1.10 1.2", NameOrder::Mixed("1.10", "1.2"));
        is("99999999999999999999999 100000000000000000000000", NameOrder::OldestFirst);
    }

    #[test]
    fn what_differs_in_more_than_numbers_is_not_compared() {
        is("2.0-rc1 2.0-rc2 2.0 2.0.1 2.1-rc1 2.1", NameOrder::OldestFirst);
        is("v2 r1 w0", NameOrder::OldestFirst);
    }

    #[test]
    fn names_without_numbers_and_hashes_have_no_order() {
        is("warty hoary breezy", NameOrder::OldestFirst);
        is("first 2 1", NameOrder::OldestFirst);
        is("9fceb02 1a410ef 0155eb4 1234567", NameOrder::OldestFirst);
        is("20240103 20240102", NameOrder::NewestFirst);
        is("", NameOrder::OldestFirst);
        is("1", NameOrder::OldestFirst);
    }
}
