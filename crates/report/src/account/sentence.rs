//! Sentences made of the fragments that errors are.

use howcome_run::words::printable;

/// A lowercase fragment as a sentence.
pub(crate) fn sentence(fragment: &str) -> String {
    let fragment = printable(fragment.trim());
    let mut characters = fragment.chars();
    let mut sentence: String =
        characters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    sentence.push_str(characters.as_str());
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}
