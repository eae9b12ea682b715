//! The rules that every search follows in every world. `converse` checks more of them.

use crate::conversation::{best_always_fails, converse};
use crate::random::cases;
use crate::world::{World, any_world, groups_of};
use howcome_dd::{
    Answer, Ask, Balanced, CoarseToFine, Configuration, Dd, DdPlus, Ddmin, Difference, Isolate, Narrow,
    Outcome, Search, SearchVisitor, visit_every_search,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::any::type_name;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Every search ends, and it finds only deltas that it was given.
struct Ends<'a>(&'a World);

impl SearchVisitor for Ends<'_> {
    fn visit<S: Search>(&mut self, search: S) {
        converse(search, &self.0.all(), |asked| self.0.test(asked));
    }

    fn visit_difference<S: Search<Finding = Difference>>(&mut self, search: S) {
        let finding = converse(search, &self.0.all(), |asked| self.0.test(asked)).finding;
        assert!(finding.passing.is_subset(&finding.failing));
        assert!(finding.failing.is_subset(&self.0.all()));
        assert!(!finding.failing.is_empty());
    }
}

struct BestAlwaysFails<'a>(&'a World);

impl SearchVisitor for BestAlwaysFails<'_> {
    /// The best configuration of other searches need not fail.
    fn visit<S: Search>(&mut self, _: S) {}

    fn visit_difference<S: Search<Finding = Difference>>(&mut self, search: S) {
        best_always_fails(search, &self.0.all(), |asked| self.0.test(asked));
    }
}

struct DoneAtOnce;

impl SearchVisitor for DoneAtOnce {
    fn visit<S: Search>(&mut self, _: S) {}

    fn visit_difference<S: Search<Finding = Difference>>(&mut self, mut search: S) {
        let nothing = Ask::Done(Difference::from_nothing(Configuration::empty()));
        assert_eq!(search.ask(), nothing);
        search.tell(Answer::from(Outcome::Fail));
        assert_eq!(search.ask(), nothing);
    }
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn every_search_ends_in_every_world(world in any_world(1..=8), labels in vec(0..5u8, 8)) {
        visit_every_search(world.size, &groups_of(world.size, &labels), &mut Ends(&world));
    }

    #[test]
    fn the_best_so_far_always_fails(world in any_world(1..=8), labels in vec(0..5u8, 8)) {
        visit_every_search(world.size, &groups_of(world.size, &labels), &mut BestAlwaysFails(&world));
    }

    #[test]
    fn searches_over_some_deltas_ask_for_no_others(world in any_world(2..=8), chosen in 1..256u32) {
        let chosen: Configuration = crate::world::set(chosen & ((1 << world.size) - 1));
        prop_assume!(!chosen.is_empty());
        let test = |asked: &Configuration| world.test(asked);
        converse(Dd::new(chosen.clone()), &chosen, test);
        converse(DdPlus::new(chosen.clone()), &chosen, test);
        converse(Ddmin::new(chosen.clone()), &chosen, test);
        converse(Isolate::new(Configuration::empty(), chosen.clone()), &chosen, test);
        converse(Balanced::new(chosen.clone()), &chosen, test);
        converse(Narrow::new(chosen.clone()), &chosen, test);
        let singles = (0..world.size).map(|delta| delta..delta + 1).collect();
        let pairs = (0..world.size).step_by(2).map(|delta| delta..(delta + 2).min(world.size)).collect();
        converse(CoarseToFine::new(chosen.clone(), vec![pairs, singles], Balanced::new), &chosen, test);
    }
}

#[test]
fn a_search_over_nothing_is_done_at_once() {
    visit_every_search(0, &[], &mut DoneAtOnce);
}

/// The names of the types that were visited.
#[derive(Default)]
struct Names(BTreeSet<String>);

impl SearchVisitor for Names {
    fn visit<S: Search>(&mut self, _: S) {
        let path = type_name::<S>();
        let path = path.split('<').next().unwrap_or(path);
        self.0.insert(path.rsplit("::").next().unwrap_or(path).to_owned());
    }
}

/// The types that implement `Search`, read from the crate's source files.
fn implementors(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            names.extend(implementors(&path)?);
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let headers = text.lines().filter(|line| line.starts_with("impl"));
        names.extend(headers.filter_map(implementor).map(str::to_owned));
    }
    Ok(names)
}

fn implementor(header: &str) -> Option<&str> {
    let (_, name) = [" Search for ", " SearchWrapper for "].iter().find_map(|of| header.split_once(of))?;
    name.split(['<', ' ']).next()
}

#[test]
fn no_search_is_missing_among_all_searches() {
    let mut visited = Names::default();
    visit_every_search(4, &[], &mut visited);
    let mut implementors = implementors(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap();
    // The one line that makes every wrapper a search.
    assert!(implementors.remove("W"));
    assert_eq!(visited.0, implementors);
}
