//! Names that the user may have meant.

/// The number of suggestions.
const MOST: usize = 3;

/// The names most like the wanted one, best first.
#[must_use]
pub fn similar<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut near: Vec<(usize, &str)> = names
        .filter_map(|name| {
            let distance = distance(&wanted.to_lowercase(), &name.to_lowercase());
            let holds = wanted.len() >= 3 && (name.contains(wanted) || wanted.contains(name));
            (holds || distance <= wanted.chars().count().div_ceil(3)).then_some((distance, name))
        })
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}

/// Levenshtein's distance.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_keyboard_finds_its_name() {
        let names = ["master", "v1.2.0", "v1.3.0", "feature/login"];
        assert_eq!(similar("mster", names.into_iter()), ["master"]);
        assert_eq!(similar("1.2.0", names.into_iter())[0], "v1.2.0");
        assert_eq!(similar("login", names.into_iter()), ["feature/login"]);
    }

    #[test]
    fn nothing_is_like_something_else_entirely() {
        assert!(similar("zzzzzz", ["master", "v1"].into_iter()).is_empty());
    }
}
