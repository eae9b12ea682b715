//! The command line decides nothing: it imports the words of the searches, not the searches.

use crate::sources::crates;

/// What the command line may know of the searches.
const WORDS: &[&str] = &["Configuration", "DeltaId", "Outcome", "Step"];

#[test]
fn the_command_line_has_no_search_logic() {
    let cli = crates().into_iter().find(|krate| krate.name == "cli").unwrap();
    let mut found = Vec::new();
    for (module, file) in &cli.files {
        for part in file.text.split("howcome_dd::").skip(1) {
            let end =
                if part.starts_with('{') { part.find('}') } else { part.find([';', '(', ')', ' ', ',']) };
            let names = part[..end.unwrap_or(part.len())].trim_start_matches('{');
            let names = names.split(',').map(|name| name.trim().split("::").next().unwrap());
            let beyond = names.filter(|name| !name.is_empty() && !WORDS.contains(name));
            found.extend(beyond.map(|name| format!("{module}: {name}")));
        }
    }
    assert!(found.is_empty(), "{found:?}");
}
