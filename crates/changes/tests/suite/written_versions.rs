//! Which versions a mix is compared with.

use crate::world::{PLAIN, tree};
use howcome_changes::{Base, Candidate, Space, VersionSpace};
use howcome_dd::{Configuration, DeltaId};

fn version(text: &str) -> Candidate {
    let files = [(b"a.c".to_vec(), (PLAIN, text.as_bytes().to_vec()))].into();
    Candidate::of(Base::new(tree(&files), text.as_bytes()))
}

fn only(delta: u32) -> Configuration {
    Configuration::empty().with_delta(DeltaId(delta))
}

#[test]
fn a_mix_is_compared_with_the_versions_that_authors_wrote_and_they_with_nothing() {
    let [good, mix, bad] = ["good", "mix", "bad"].map(version);
    let candidates = vec![
        ("good".to_owned(), good.clone(), None),
        ("mix".to_owned(), mix, None),
        ("bad".to_owned(), bad.clone(), None),
    ];
    let space = VersionSpace::of(candidates.clone()).mixing(vec![good.clone(), bad.clone()]);
    let written = space.written(&only(0)).unwrap().configurations;
    let contents: Vec<_> =
        written.iter().map(|version| space.candidate(version).unwrap().content()).collect();
    assert_eq!(contents, [good.content(), bad.content()]);
    assert!(space.written(&Configuration::empty()).is_none() && space.written(&only(1)).is_none());
    assert!(VersionSpace::of(candidates).written(&only(0)).is_none());
}
