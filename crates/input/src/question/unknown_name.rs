//! The error for a name that does not exist, with the name that was probably meant.

use crate::passes;
use howcome_run::Problem;
use howcome_run::words::plural;

/// Refuses names of passes that do not exist.
///
/// # Errors
/// For the first name that no pass has.
pub fn check_pass_names(names: &[String]) -> Result<(), Problem> {
    let passes = passes();
    let known: Vec<&str> = passes.iter().map(|pass| pass.name()).collect();
    match names.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(unknown_name("pass", name, &known)),
        None => Ok(()),
    }
}

/// The error for a name that does not exist, with the name that was probably meant.
pub(crate) fn unknown_name(what: &str, name: &str, names: &[&str]) -> Problem {
    let near = names.iter().min_by_key(|known| edit_distance(name, known)).filter(|known| {
        edit_distance(name, known) <= name.chars().count().max(2) / 2 || known.starts_with(name)
    });
    let whats = plural(what);
    let hint = match near {
        Some(near) => format!("did you mean {near}? The {whats} are: {}", names.join(", ")),
        None => format!("the {whats} are: {}", names.join(", ")),
    };
    Problem::new(format!("there is no {what} `{name}`")).hint(hint)
}

/// How many letters have to be changed, added or removed to turn one word into the other.
fn edit_distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.chars().enumerate() {
            let changed = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_of_two_words_is_the_number_of_letters_that_differ() {
        assert_eq!(edit_distance("lines", "lines"), 0);
        assert_eq!(edit_distance("line", "lines"), 1);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

    #[test]
    fn a_misspelt_pass_is_refused_with_the_name_that_was_meant() {
        let problem = check_pass_names(&["lines".to_owned(), "caracters".to_owned()]).unwrap_err();
        assert!(problem.to_string().contains("did you mean characters?"), "{problem}");
    }
}
