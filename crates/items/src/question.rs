//! From the baseline to the answer.

use crate::list::ItemList;
use crate::request::ItemsRequest;
use crate::revisit::LIST_COPY;
use crate::subject::{ITEMS_FILE, ItemsTest};
use howcome_dd::{Configuration, Confirmed, Difference, Knowledge, Outcome, Probe};
use howcome_lab::inquiry::{
    BaselineResult, BaselineTerms, CheckedFinding, Concluded, KnownRelations, Response, SearchChoice,
    Session, SideNames, confidence, confirm, needs_copy, nothing_was_resolved, prepare, verify_sides,
};
use howcome_lab::{Lab, LeftOutFolders, Prepare, Repeat, TestEnding};
use howcome_run::words::{count, printable, seconds};
use howcome_run::{
    Algorithm, Because, Conclusion, Ending, FileReplacement, Finding, Halt, ItemsFinding, Minimal,
    Observation, Problem, Purpose, RunInputs, Stage, StageName, Unit, Verified, plain_error,
};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The run keeps a copy of the list.
impl RunInputs for ItemList {
    fn write_into(&self, run: &Path) -> Result<(), (PathBuf, io::Error)> {
        let path = run.join(LIST_COPY);
        FileReplacement::at(&path).write_bytes(self.bytes()).map_err(|error| (path, error))
    }
}

/// Tells the user what is odd about the list of a new run.
///
/// # Errors
/// If the journal of an earlier session does not match.
pub fn warn_about(session: &mut Session, list: &ItemList) -> Result<(), Problem> {
    let not_text = list.not_text();
    if let Some(first) = not_text.first() {
        let how_many = count(not_text.len() as u64, "item");
        session.warn(&format!(
            "{how_many} of the list cannot be shown as text (the first is item {first}); the test gets the bytes as they are"
        ))?;
    }
    if list.has_duplicates() {
        session
            .listener
            .note("the list names some items more than once; each is treated as an item of its own");
    }
    Ok(())
}

/// Finds the smallest part of a list that still fails, or the smallest difference that decides.
///
/// # Errors
/// If there is nothing to explain, the user wants to stop before anything is known, or something is wrong.
pub fn ask(
    session: &mut Session,
    lab: &mut dyn Lab,
    request: &ItemsRequest,
    list: &Arc<ItemList>,
    dry_run: bool,
) -> Result<Response, Halt> {
    let known = request.relations.resolve(|name| list.named(name))?;
    let test = choose_folder(session, lab, request, list)?;
    let in_copy = test.folder.is_copy();
    let knowing = |known: Knowledge| Arc::new(ItemsTest { known, ..test.clone() });
    let [searched, checked] = [known.knowledge(), known.order.clone()].map(knowing);
    let best_file = session.dir().map(|dir| dir.join("best").join(ITEMS_FILE));
    let mut items = Items {
        request,
        list,
        known,
        searched,
        checked,
        subject: Arc::new(test),
        best_file,
        not_written: None,
        in_copy,
    };
    let answered = items.investigate(session, lab, dry_run);
    if let (Some(path), Ok(Response::Concluded(concluded))) = (&request.output, &answered)
        && let Some(answer) = &concluded.answer
    {
        items.write(&answer.deltas(), path, &FileReplacement::at_users_path(path));
    }
    if has_changed(&request.test.directory.join(&request.list), list) {
        session.warn(&format!(
            "{} has changed since the run began; the answer is about what it was then",
            request.list.display()
        ))?;
    }
    if let Some((path, error)) = items.not_written {
        session.warn(&format!("{} could not be written: {}", path.display(), plain_error(&error)))?;
    }
    answered
}

/// The test in the folder in which it runs: one of its own, or a copy of the user's folder if the test needs it.
fn choose_folder(
    session: &Session,
    lab: &mut dyn Lab,
    request: &ItemsRequest,
    list: &Arc<ItemList>,
) -> Result<ItemsTest, Halt> {
    let own = request.own_test(Arc::clone(list));
    let Some(copy) = request.folder_copy(session.dir()) else { return Ok(own) };
    let copied = request.copied_test(Arc::clone(list), &copy);
    let subject = |test: &ItemsTest| -> Arc<dyn Prepare> { Arc::new(test.clone()) };
    let needs_copy = needs_copy(session, lab, [&subject(&own), &subject(&copied)], &copy, &request.failure)?;
    Ok(if needs_copy { copied } else { own })
}

/// One question.
struct Items<'a> {
    request: &'a ItemsRequest,
    list: &'a ItemList,
    known: KnownRelations,
    /// The list with everything from which outcomes are predicted.
    searched: Arc<ItemsTest>,
    /// The list as an answer is checked: what the user says about single items is tested, and not relied on.
    checked: Arc<ItemsTest>,
    subject: Arc<dyn Prepare>,
    in_copy: bool,
    best_file: Option<PathBuf>,
    /// The last file that could not be written.
    not_written: Option<(PathBuf, io::Error)>,
}

const STAGE: StageName = StageName::Items;

impl Items<'_> {
    fn investigate(
        &mut self,
        session: &mut Session,
        lab: &mut dyn Lab,
        dry_run: bool,
    ) -> Result<Response, Halt> {
        let failure = &self.request.failure;
        let choice = self.request.algorithm;
        let two_sided = self.is_two_sided();
        let judging = failure.terms()?;
        let terms = BaselineTerms {
            judging,
            two_sided,
            sides: SideNames::Parts,
            command: self.request.test.words(),
            held: Vec::new(),
            left_out: LeftOutFolders::default(),
            if_alike: None,
            in_copy: self.in_copy,
            if_refused: None,
            is_tentative: false,
            search_learns_rates: false,
        };
        let ready = prepare(session, lab, &STAGE, &self.subject, failure, &terms)?;
        if dry_run {
            return Ok(Response::DryRun(self.estimate(&ready)));
        }
        let is_zero = ready.everything_ends == Because::Exit(0) && ready.nothing != Outcome::Fail;
        if is_zero && !failure.names_the_failure() {
            session.listener.note(
                "note: with everything the test exits with 0, so that is the failure that is looked for",
            );
        }
        if session.is_new() {
            self.keep(&Configuration::all(self.subject.deltas()));
        }
        let is_empty_special = ready.nothing == Outcome::Fail && self.empty_list_is_special(lab, &ready);
        if is_empty_special {
            session.warn(
                "the test fails without any items, too, but passes with one: it seems to take an empty list for the whole list, \
                 so the empty list is not tried",
            )?;
        }
        if ready.nothing == Outcome::Fail && !is_empty_special {
            return Ok(self.nothing_is_enough(session, &ready)?.into());
        }
        if !matches!(ready.repeat, Repeat::Flaky(_)) {
            // On a cluster, the proofs of a likely answer start before the search has ended.
            let (known, deltas) = (self.known.knowledge(), self.subject.deltas());
            session.driver.foresee_proofs(move |found| {
                let (alone, without) = both_ways(&known, deltas, found);
                let alone = alone.map(|alone| (Purpose::ConfirmAlone, alone));
                alone.into_iter().chain([(Purpose::ConfirmWithout, without)]).collect()
            });
        }
        let mut checked = self.search(session, lab, choice);
        // If outcomes are not monotone, what dd finds may not even fail on its own.
        if let Ok(CheckedFinding { confirmed, .. }) = &checked
            && !confirmed.alone_fails
            && choice != SearchChoice::Balanced
        {
            session.warn(&format!(
                "what {} found does not fail on its own, so balanced was used to find what does",
                choice.algorithm()
            ))?;
            checked = self.search(session, lab, SearchChoice::Balanced);
        }
        let CheckedFinding { found, confirmed } = match checked {
            Ok(checked) => checked,
            Err(halt) => return self.stopped(halt),
        };
        // If only the failure is known, whatever is not it counts as a pass; to claim one takes more.
        let passes = |seen: &Observation| {
            let ending = if is_empty_special { &Because::Exit(0) } else { &ready.nothing_ends };
            seen.outcome == Outcome::Pass && (two_sided || seen.because == *ending)
        };
        let (alone, without) = self.both_ways(&found);
        let sides = [alone.as_ref(), Some(&without)];
        let verified = match verify_sides(session, lab, &STAGE, sides, passes) {
            Ok(verified) => verified,
            Err(halt) => return self.stopped(halt.keeping(found)),
        };
        let is_one = found.deltas().len() == 1 && choice != SearchChoice::Isolate;
        let found = match verified.alone_fails {
            // It needs nothing of what it was found with.
            Some(true) if is_one => Difference::from_nothing(found.deltas()),
            _ => found,
        };
        self.keep(&found.failing);
        // In an order, single items cannot be left out, so that was not tried.
        let is_checked = !self.request.relations.order || found.deltas().len() < 2;
        let mut conclusion = self.conclusion(&found, confirmed.is_minimal() && is_checked, verified);
        conclusion.confidence = confidence(session, &ready.repeat);
        let concluded = if !two_sided && confirmed.alone_fails && verified.alone_fails == Some(false) {
            conclusion.minimal.checked = false;
            Concluded::new(Ending::Flaky, Some(conclusion))
                .because("what had failed did not fail when it was run again")
        } else if two_sided && nothing_was_resolved(session, &found, self.subject.deltas()) {
            conclusion.minimal.checked = false;
            Concluded::new(Ending::Undecided, Some(conclusion))
                .because("none of the tests between the two sides could be judged")
        } else {
            Concluded::new(Ending::Found, Some(conclusion))
        };
        Ok(concluded.with_answer(found).into())
    }

    /// Whether the test takes an empty list for the whole list, as test runners do that get no names: without any items it fails,
    /// but it passes with one of them.
    fn empty_list_is_special(&self, lab: &mut dyn Lab, ready: &BaselineResult) -> bool {
        let items = self.subject.deltas();
        if items < 2 || self.is_two_sided() || !self.request.failure.is_by_comparison() {
            return false;
        }
        [0, items / 2, items - 1].into_iter().any(|item| {
            let single = Configuration::all(items).slice(item as usize..item as usize + 1);
            let seen = lab.look(&self.subject, &single);
            // A runner that runs fewer tests than before has not run all that matter, but if it exits with 0, none has failed.
            seen.is_ok_and(|seen| {
                seen.ending == TestEnding::Exit(0) && ready.judge.judge(&seen).outcome != Outcome::Fail
            })
        })
    }

    /// Whether the answer is what makes the difference between a pass and the failure. That is all that can be found of items that
    /// need others.
    fn is_two_sided(&self) -> bool {
        let algorithm = self.request.algorithm;
        let finds_causes = matches!(algorithm, SearchChoice::Dd | SearchChoice::DdPlus);
        algorithm == SearchChoice::Isolate || (finds_causes && self.request.relations.predicts())
    }

    /// What was found, with everything that it needs and with which it was seen to pass and to fail. The items that are only needed are
    /// on both sides.
    fn complete(
        &self,
        session: &mut Session,
        lab: &mut dyn Lab,
        found: Difference,
    ) -> Result<Difference, Halt<Difference>> {
        let known = self.known.knowledge();
        let failing = known.with_needed(&found.deltas());
        let passing = known.without_unmet(&failing.without(&found.deltas()));
        for difference in [found, Difference { passing, failing: failing.clone() }] {
            if difference.passing.is_empty() && difference.failing == failing {
                break;
            }
            let probe = Probe::new(difference.passing.clone());
            let stage = self.stage(&self.checked, Algorithm::Confirm);
            let outcome = session.driver.run(lab, &stage, probe, &mut |_| {});
            if outcome.map_err(|halt| halt.keeping(difference.clone()))? == Outcome::Pass {
                return Ok(difference);
            }
        }
        Ok(Difference::from_nothing(failing))
    }

    fn stage<'s>(&self, subject: &'s ItemsTest, search: Algorithm) -> Stage<'s> {
        Stage { subject, name: &STAGE, search, unit: Unit::Item, knowledge: Knowledge::none() }
    }

    /// The items that were found alone, if they need nothing else, and the list without them and without what needs them.
    fn both_ways(&self, found: &Difference) -> (Option<Configuration>, Configuration) {
        both_ways(&self.known.knowledge(), self.subject.deltas(), found)
    }

    fn search(
        &mut self,
        session: &mut Session,
        lab: &mut dyn Lab,
        choice: SearchChoice,
    ) -> Result<CheckedFinding, Halt<Difference>> {
        let (searched, known) = (Arc::clone(&self.searched), self.known.clone());
        let stage = self.stage(&searched, choice.algorithm());
        let mut keep = |best: &Configuration| self.keep(best);
        let found = choice.run(&mut session.driver, lab, &stage, &known, &mut keep)?;
        let found = match choice {
            SearchChoice::Dd | SearchChoice::DdPlus if known.predicts() => {
                self.complete(session, lab, found)?
            }
            _ => found,
        };
        confirm(session, lab, (&STAGE, Unit::Item, &*self.checked), found)
    }

    /// The failure has nothing to do with the items. If the user has not described it, the test is probably broken: it does not find
    /// its files, for example.
    fn nothing_is_enough(
        &mut self,
        session: &mut Session,
        ready: &BaselineResult,
    ) -> Result<Concluded, Problem> {
        let printed = match ready.nothing_prints.as_slice() {
            [] => String::new(),
            lines => format!("; it prints: {}", printable(&lines.join(" / "))),
        };
        let hint = match self.has_inner_placeholder() {
            true => {
                "{} is replaced by the path of the list only if it is a word of its own; inside a word, write $HOWCOME_ITEMS"
            }
            false => {
                "does the test read the items from the file $HOWCOME_ITEMS, and find its other files? (--fails-when says what \
                 the failure is)"
            }
        };
        session.warn(&format!(
            "the test ends in the same way ({}) without any items, so they do not matter; {hint}{printed}",
            ready.nothing_ends
        ))?;
        if self.request.failure.is_by_comparison() {
            return Ok(Concluded::new(Ending::Refused, None));
        }
        let nothing = Difference::from_nothing(Configuration::empty());
        self.keep(&nothing.failing);
        let confirmed = Confirmed { alone_fails: true, ..Confirmed::default() };
        let verified = Verified { alone_fails: Some(true), without_passes: None };
        let conclusion = self.conclusion(&nothing, confirmed.is_minimal(), verified);
        Ok(Concluded::new(Ending::Found, Some(conclusion)).with_answer(nothing))
    }

    /// Whether the test has `{}` inside of a word, where it is not replaced, and nothing else that could name the items.
    fn has_inner_placeholder(&self) -> bool {
        let words: Vec<_> = self.request.test.arguments.iter().map(|word| word.to_string_lossy()).collect();
        let has = |text: &str| words.iter().any(|word| word.contains(text));
        has("{}") && !has("HOWCOME_ITEMS") && !words.iter().any(|word| word == "{}")
    }

    fn stopped(&self, halt: Halt<Difference>) -> Result<Response, Halt> {
        match halt {
            Halt::Stopped { why, best } => {
                let conclusion = self.conclusion(&best, false, Verified::default());
                Ok(Concluded::stopped(why, Some(conclusion)).with_answer(best).into())
            }
            other => Err(other.into()),
        }
    }

    fn conclusion(&self, found: &Difference, checked: bool, verified: Verified) -> Conclusion {
        let texts = |side: &Configuration| self.is_two_sided().then(|| self.list.texts(side));
        let finding = Finding::Items(ItemsFinding {
            items: self.list.texts(&found.deltas()),
            of: Some(self.list.len() as u64),
            passing: texts(&found.passing),
            failing: texts(&found.failing),
        });
        let minimal = Minimal::new(Unit::Item, checked);
        Conclusion { finding: finding.into(), minimal, verified, confidence: None }
    }

    fn estimate(&self, ready: &BaselineResult) -> String {
        let choice = self.request.algorithm;
        let deltas = self.subject.deltas();
        let tests = choice.estimate(deltas);
        format!(
            "{} would be varied, by {}.\nIf few of them matter: about {}, about {} one at a time.\n",
            count(deltas.into(), "item"),
            choice.algorithm(),
            count(tests as u64, "test"),
            seconds(tests * ready.runs_per_question() * ready.seconds)
        )
    }

    /// Makes the best candidate so far usable on disk.
    fn keep(&mut self, best: &Configuration) {
        if let Some(path) = self.best_file.clone() {
            self.write(best, &path, &FileReplacement::at(&path).without_flush());
        }
    }

    fn write(&mut self, chosen: &Configuration, path: &Path, replacement: &FileReplacement) {
        if let Err(error) = replacement.write(|file| self.list.write_to(chosen, file)) {
            self.not_written = Some((path.to_owned(), error));
        }
    }
}

/// What was found, if it needs nothing else, and everything without it and without what needs it.
fn both_ways(known: &Knowledge, deltas: u32, found: &Difference) -> (Option<Configuration>, Configuration) {
    let alone = found.deltas();
    let without = known.without_unmet(&Configuration::all(deltas).without(&alone));
    (Some(alone).filter(|alone| known.predict(alone).is_none()), without)
}

/// Only files stay what they are and can be read again: a pipe cannot.
fn has_changed(path: &Path, list: &ItemList) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
        && fs::read(path).is_ok_and(|now| now != list.bytes())
}
