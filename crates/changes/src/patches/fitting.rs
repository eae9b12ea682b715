//! Which of some changes apply to another version.

use crate::deltas::change_set::ChangeSet;
use crate::patches::apply::apply_to;
use crate::patches::conflict::{Conflict, ConflictKind};
use crate::patches::moved::moved;
use crate::trees::tree::Tree;
use howcome_dd::Configuration;

/// The changes that apply to a version, or that it has already, file by file. Changes that do not apply are left out.
#[must_use]
pub fn fitting(changes: &ChangeSet, configuration: &Configuration, onto: &Tree) -> Configuration {
    let mut fits = Configuration::empty();
    for (file, first) in changes.files_of(configuration) {
        let own = first.0..first.0 + file.deltas();
        let mut chosen = configuration.within(&Configuration::from_run(own));
        while !chosen.is_empty() {
            match apply_to(changes, &chosen, onto, &moved(changes, &chosen, onto, false)) {
                Ok(_) => break,
                Err(conflict) => chosen = without(&chosen, &conflict),
            }
        }
        fits = fits.with(&chosen);
    }
    // Each file can fit on its own, and two of them can still collide.
    match apply_to(changes, &fits, onto, &moved(changes, &fits, onto, false)) {
        Ok(_) => fits,
        Err(_) => Configuration::empty(),
    }
}

/// Without the changes that do not apply; if none of them is named, without the first change, so that this ends.
fn without(chosen: &Configuration, conflict: &Conflict) -> Configuration {
    if matches!(conflict.why, ConflictKind::Missing) {
        return Configuration::empty();
    }
    let misfits: Configuration = conflict.others.iter().copied().chain([conflict.delta]).collect();
    let rest = chosen.without(&misfits);
    if rest.len() < chosen.len() {
        return rest;
    }
    chosen.get(0).map_or_else(Configuration::empty, |first| chosen.without_delta(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_place_is_left_out_and_the_rest_is_made() {
        let good = Tree::of_texts(&[("a", "1\n2\n3\n4\n5\n6\n7\n8\n"), ("b", "x\n")]);
        let bad = Tree::of_texts(&[("a", "1\ntwo\n3\n4\n5\n6\nseven\n8\n"), ("b", "y\n"), ("c", "new\n")]);
        let changes = ChangeSet::between(&good, &bad).unwrap();
        assert_eq!(changes.len(), 4);
        let older = Tree::of_texts(&[("a", "1\n2\n3\n4\n5\n6\nVII\n8\n"), ("b", "z\n")]);
        assert_eq!(fitting(&changes, &changes.all(), &older), "1,4".parse().unwrap());
        assert_eq!(fitting(&changes, &changes.all(), &good), changes.all());
        assert_eq!(fitting(&changes, &changes.all(), &bad), changes.all());
    }
}
