//! Two kinds of "no" are not mixed up: one type says why work stopped, and `?` passes it on.

use crate::sources::crates;

#[test]
fn no_result_is_wrapped_in_another() {
    let nested = ["Ok(Ok(", "Ok(Err("];
    let mut found = Vec::new();
    for krate in crates() {
        for (module, file) in &krate.files {
            let count: usize = nested.iter().map(|phrase| file.text.matches(phrase).count()).sum();
            if count > 0 {
                found.push(format!("{}: {module}: {count}", krate.name));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
