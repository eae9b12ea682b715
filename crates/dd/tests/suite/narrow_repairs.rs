//! Repairs: what the domain proposes instead of an unresolved configuration.

use crate::conversation::{CheckedConversation, converse};
use crate::random::Random;
use howcome_dd::{Answer, Configuration, DeltaId, Difference, Hints, Narrow, Outcome};

/// Deltas that need others, as a use needs its declaration, and the few deltas that fail together.
struct Program {
    size: u32,
    needs: Vec<Vec<u32>>,
    culprits: Configuration,
}

impl Program {
    /// Each delta can need one or two others, most of them nearby.
    fn random(size: u32, seed: u64) -> Self {
        let mut random = Random(seed);
        let needs = (0..size).map(|delta| {
            let count = random.below(3);
            let near = |random: &mut Random| (delta + size - 10 + random.below(20)) % size;
            (0..count)
                .map(|_| if random.below(4) == 0 { random.below(size) } else { near(&mut random) })
                .filter(|other| *other < delta)
                .collect()
        });
        let needs = needs.collect();
        let culprits = [DeltaId(random.below(size))].into_iter().collect();
        Self { size, needs, culprits }
    }

    fn all(&self) -> Configuration {
        Configuration::all(self.size)
    }

    fn missing(&self, asked: &Configuration) -> Configuration {
        let needed = asked.iter().flat_map(|delta| self.needs[delta.index()].iter().copied().map(DeltaId));
        needed.filter(|delta| !asked.contains(*delta)).collect()
    }

    fn users(&self, asked: &Configuration) -> Configuration {
        let lacks = |delta: &DeltaId| {
            self.needs[delta.index()].iter().any(|needed| !asked.contains(DeltaId(*needed)))
        };
        asked.iter().filter(lacks).collect()
    }

    fn outcome(&self, asked: &Configuration) -> Outcome {
        match self.culprits.is_subset(asked) {
            _ if !self.missing(asked).is_empty() => Outcome::Unresolved,
            true => Outcome::Fail,
            false => Outcome::Pass,
        }
    }

    /// Answers like a compiler, which names a missing declaration but not what that declaration needs.
    fn compiled(&self, asked: &Configuration) -> Answer {
        let outcome = self.outcome(asked);
        let (missing, users) = (self.missing(asked), self.users(asked));
        let repairs = match outcome {
            Outcome::Unresolved => vec![asked.with(&missing), asked.without(&users)],
            _ => Vec::new(),
        };
        Answer { hints: Hints::repairs(repairs), ..Answer::from(outcome) }
    }

    /// The culprits and everything they need.
    fn closure(&self) -> Configuration {
        let mut all = self.culprits.clone();
        loop {
            let missing = self.missing(&all);
            if missing.is_empty() {
                return all;
            }
            all = all.with(&missing);
        }
    }
}

#[test]
fn repairs_find_the_culprit_and_what_it_needs_in_few_tests() {
    let (mut repaired, mut unrepaired) = (0, 0);
    for seed in 0..30 {
        let program = Program::random(400, seed);
        let all = program.all();
        let search = Narrow::new(all.clone());
        let with = converse(search.clone(), &all, |asked| program.compiled(asked));
        assert_eq!(with.finding.failing, program.closure());
        repaired += with.told.len();
        let without = converse(search, &all, |asked| program.outcome(asked));
        assert_eq!(program.outcome(&without.finding.failing), Outcome::Fail);
        unrepaired += without.told.len();
    }
    println!("{} tests with repairs, {} without, on average of 30", repaired / 30, unrepaired / 30);
    assert!(repaired / 30 <= 60, "{} tests on average", repaired / 30);
    assert!(repaired * 2 < unrepaired);
}

fn asked(conversation: &CheckedConversation<Difference>) -> Vec<String> {
    conversation.told.iter().map(|(asked, outcome)| format!("{asked}{}", outcome.sign())).collect()
}

/// Only 1-5 is resolved: it fails.
fn stubborn(asked: &Configuration) -> Outcome {
    match asked.to_string().as_str() {
        "1-5" => Outcome::Fail,
        _ => Outcome::Unresolved,
    }
}

fn proposing(repairs: &'static [&'static str]) -> impl Fn(&Configuration) -> Answer {
    move |asked| {
        let repairs = match asked.to_string().as_str() {
            "1-4" => repairs.iter().map(|repair| repair.parse().expect("a configuration")).collect(),
            _ => Vec::new(),
        };
        Answer { hints: Hints::repairs(repairs), ..Answer::from(stubborn(asked)) }
    }
}

#[test]
fn the_first_repair_with_an_unknown_outcome_is_tried_next() {
    // Deltas outside of the failing side are dropped. The outcomes of none, all, and earlier questions are known.
    let all = Configuration::all(8);
    let conversation = converse(Narrow::new(all.clone()), &all, proposing(&["-", "1-8", "1-4,9", "1-5,9"]));
    assert_eq!(asked(&conversation)[..2], ["1-4?", "1-5✗"]);
}

#[test]
fn the_number_of_repairs_for_a_question_is_limited() {
    let all = Configuration::all(8);
    let repairs = proposing(&["1", "1-2", "1-3", "1-5"]);
    for most in 0..4 {
        let search = Narrow::new(all.clone()).with_repairs(most);
        let questions = asked(&converse(search, &all, &repairs));
        assert_eq!(questions[most as usize + 1], "5-8?", "{questions:?}");
    }
    let questions = asked(&converse(Narrow::new(all.clone()).with_repairs(4), &all, &repairs));
    assert_eq!(questions[..5], ["1-4?", "1?", "1-2?", "1-3?", "1-5✗"]);
}

#[test]
fn an_unresolved_repair_is_repaired_before_the_next_one_is_tried() {
    let all = Configuration::all(8);
    let conversation = converse(Narrow::new(all.clone()), &all, |asked: &Configuration| {
        let repairs: &[&str] = match asked.to_string().as_str() {
            "1-4" => &["1-3", "1-6"],
            "1-3" => &["1-2", "1"],
            _ => &[],
        };
        let repairs = repairs.iter().map(|repair| repair.parse().expect("a configuration")).collect();
        Answer { hints: Hints::repairs(repairs), ..Answer::from(stubborn(asked)) }
    });
    assert_eq!(asked(&conversation)[..5], ["1-4?", "1-3?", "1-2?", "1?", "1-6?"]);
}

#[test]
fn a_finding_that_does_not_build_alone_is_repaired() {
    // 6 fails and needs 2. The search learns that when it asks for 6 alone.
    let needs = Program {
        size: 8,
        needs: vec![vec![], vec![], vec![], vec![], vec![], vec![1], vec![], vec![]],
        culprits: "6".parse().unwrap(),
    };
    let all = needs.all();
    let conversation = converse(Narrow::new(all.clone()), &all, |asked| needs.compiled(asked));
    assert_eq!(asked(&conversation), ["1-4✓", "1-6✗", "1-5✓", "6?", "2,6✗"]);
    assert_eq!(conversation.finding.failing, "2,6".parse().unwrap());
}

#[test]
fn a_search_that_needs_a_suggestion_ends_if_none_can_be_judged() {
    let all = Configuration::all(8);
    let suggestions: Vec<Configuration> = ["1-4", "5-8"].map(|text| text.parse().unwrap()).into();
    let search = Narrow::new(all.clone()).trying_first(suggestions.clone()).isolating();
    let search = search.only_if_a_suggestion_is_resolved();
    let CheckedConversation { told, finding } = converse(search.clone(), &all, |_| Outcome::Unresolved);
    let asked: Vec<Configuration> = told.into_iter().map(|(asked, _)| asked).collect();
    assert_eq!((asked, finding.failing), (suggestions, all.clone()));
    let culprit = Configuration::empty().with_delta(DeltaId(6));
    let outcome = |asked: &Configuration| match culprit.is_subset(asked) {
        true => Outcome::Fail,
        false => Outcome::Pass,
    };
    let found = converse(search, &all, outcome).finding;
    assert_eq!(found.failing.without(&found.passing), culprit);
}
