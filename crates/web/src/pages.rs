//! The pages, as HTML. The look and the components are those of the report.

use crate::clock::now;
use crate::job::example::Example;
use crate::job::submission::Submission;
use crate::store::{Feedback, JobRow, JobStatus};
use askama::Template;
use howcome_report::{HtmlParts, Summary, TrailStep, picture, size_curve};
use howcome_run::words::{compact, count, cut, duration, moment, printable, size, size_limit, thousands};
use howcome_run::{AnswerSource, QuestionName};
use std::time::Duration;

/// What is around every page.
#[derive(Clone, Debug)]
pub(crate) struct PageFrame {
    /// The path below which the service is: empty, or `/howcome`.
    pub(crate) base: String,
    /// The name of the account, if there are accounts.
    pub(crate) name: String,
    /// Whether the reader may submit jobs.
    pub(crate) is_member: bool,
    /// Changes when style or script do.
    pub(crate) version: &'static str,
}

/// A job in a list.
pub(crate) struct ListedJob {
    id: String,
    title: String,
    question: QuestionName,
    state: &'static str,
    class: &'static str,
    when: String,
}

impl From<&JobRow> for ListedJob {
    fn from(job: &JobRow) -> Self {
        let (class, state) = state_of(job);
        let when = time(job.created);
        Self { id: job.id.clone(), title: job.title.clone(), question: job.question, state, class, when }
    }
}

/// A time for people.
pub(crate) fn time(milliseconds: i64) -> String {
    moment(u64::try_from(milliseconds / 1_000).unwrap_or(0))
}

/// The class and the word for how far a job is.
pub(crate) fn state_of(job: &JobRow) -> (&'static str, &'static str) {
    match (job.status, job.ending.as_deref()) {
        (JobStatus::Queued, _) => ("open", "waiting"),
        (JobStatus::Running, _) => ("open", "running"),
        (JobStatus::Cancelled, _) => ("open", "cancelled"),
        (JobStatus::Ended, Some("found")) => ("good", "found"),
        (JobStatus::Ended, Some("never-worked")) => ("good", "never worked"),
        (JobStatus::Ended, Some("undecided")) => ("open", "undecided"),
        (JobStatus::Ended, Some("stopped")) => ("open", "stopped early"),
        (JobStatus::Ended, Some("refused")) => ("bad", "nothing to explain"),
        (JobStatus::Ended, Some("flaky")) => ("bad", "flaky"),
        (JobStatus::Ended, _) => ("bad", "no answer"),
    }
}

/// Each question: its name, what it asks, what to give.
pub(crate) const QUESTIONS: [(&str, &str, &str); 5] = [
    ("changes", "Which change broke it?", "Two versions as archives, or a git bundle, and a test."),
    (
        "history",
        "Which change broke it, if no old version passes the test?",
        "A git bundle or two archives, and a test.",
    ),
    ("input", "Which part of the input triggers it?", "An input that fails, and a test or a condition."),
    (
        "state",
        "How did the program come to fail?",
        "An executable, and a run that fails and one that passes.",
    ),
    ("items", "Which of these flags, variables, packages?", "A list, one item a line, and a test."),
];

#[derive(Template)]
#[template(path = "home.html")]
pub(crate) struct HomePage {
    pub(crate) frame: PageFrame,
    pub(crate) questions: [(&'static str, &'static str, &'static str); 5],
    pub(crate) examples: Vec<Example>,
    pub(crate) jobs: Vec<ListedJob>,
}

#[derive(Template)]
#[template(path = "jobs.html")]
pub(crate) struct JobsPage {
    pub(crate) frame: PageFrame,
    pub(crate) jobs: Vec<ListedJob>,
}

#[derive(Template)]
#[template(path = "login.html")]
pub(crate) struct LoginPage {
    pub(crate) frame: PageFrame,
    pub(crate) is_wrong: bool,
    /// The job to show then.
    pub(crate) job: String,
}

#[derive(Template)]
#[template(path = "message.html")]
pub(crate) struct MessagePage {
    pub(crate) frame: PageFrame,
    pub(crate) title: String,
    pub(crate) message: String,
    pub(crate) is_failure: bool,
    /// An address to copy.
    pub(crate) address: String,
    pub(crate) back: String,
}

#[derive(Template)]
#[template(path = "status.html")]
pub(crate) struct StatusPage {
    pub(crate) frame: PageFrame,
    pub(crate) howcome: &'static str,
    pub(crate) headline: String,
    pub(crate) now: Vec<(String, String)>,
    pub(crate) ended: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "api.html")]
pub(crate) struct ApiPage {
    pub(crate) frame: PageFrame,
    pub(crate) address: String,
    pub(crate) paths: Vec<(String, String, String)>,
}

#[derive(Template)]
#[template(path = "new.html")]
pub(crate) struct NewPage {
    pub(crate) frame: PageFrame,
    pub(crate) question: &'static str,
    pub(crate) ask: &'static str,
    pub(crate) give: &'static str,
    pub(crate) limit: String,
    pub(crate) example: &'static str,
    /// The job whose files are used again.
    pub(crate) from: String,
    pub(crate) old: Submission,
    pub(crate) fails_when: String,
    pub(crate) passes_when: String,
    pub(crate) at: String,
    pub(crate) has_webhooks: bool,
}

impl NewPage {
    pub(crate) fn of(frame: PageFrame, question: &str, limit: u64, has_webhooks: bool) -> Option<Self> {
        let (question, ask, give) = QUESTIONS.into_iter().find(|(name, ..)| *name == question)?;
        let example = match question {
            "input" => "./program {}",
            "items" => "sh -c 'gcc $(cat $HOWCOME_ITEMS) prog.c -o prog && ./prog'",
            _ => "./check.sh",
        };
        Some(Self {
            frame,
            question,
            ask,
            give,
            limit: size_limit(limit),
            example,
            from: String::new(),
            old: Submission::default(),
            fails_when: String::new(),
            passes_when: String::new(),
            at: String::new(),
            has_webhooks,
        })
    }

    /// Filled in as for an earlier job.
    pub(crate) fn like(mut self, from: &str, old: Submission) -> Self {
        from.clone_into(&mut self.from);
        self.fails_when = old.fails_when.join("\n");
        self.passes_when = old.passes_when.join("\n");
        self.at = old.at.join("\n");
        self.old = old;
        self
    }
}

#[derive(Template)]
#[template(path = "job.html")]
pub(crate) struct JobPage {
    pub(crate) frame: PageFrame,
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) name: String,
    pub(crate) question: QuestionName,
    pub(crate) state: &'static str,
    pub(crate) headline: String,
    /// The address of the job, or the one that was shared.
    pub(crate) address: String,
    pub(crate) is_shared: bool,
    pub(crate) is_over: bool,
    pub(crate) can_resume: bool,
    pub(crate) has_diagnosis: bool,
    pub(crate) problem: Option<String>,
    pub(crate) style: String,
    pub(crate) answer: String,
    pub(crate) evidence: String,
    pub(crate) live: String,
    pub(crate) beside: Option<InputsBeside>,
    pub(crate) downloads: Vec<(&'static str, &'static str)>,
    pub(crate) feedback: Vec<Feedback>,
    pub(crate) shares: String,
}

impl JobPage {
    /// The page of a job, without what only its owner sees.
    pub(crate) fn of(
        frame: PageFrame,
        job: &JobRow,
        address: String,
        parts: Option<HtmlParts>,
        live: String,
    ) -> Self {
        let (_, state) = state_of(job);
        let is_over = job.status.is_over();
        let parts = parts.filter(|_| is_over && job.ending.as_deref() != Some("failed"));
        let headline = match (job.status, job.ending.as_deref()) {
            (JobStatus::Queued, _) => "Waiting for its turn".to_owned(),
            (JobStatus::Running, _) => "Finding out why it fails".to_owned(),
            (JobStatus::Cancelled, _) => "Cancelled before anything was found".to_owned(),
            (JobStatus::Ended, Some("refused")) => "There is nothing to explain".to_owned(),
            (JobStatus::Ended, _) => "The question could not be answered".to_owned(),
        };
        let title =
            parts.as_ref().map_or_else(|| format!("{state}: {}", job.title), |parts| parts.title.clone());
        let (style, answer, evidence) =
            parts.map(|parts| (parts.style, parts.answer, parts.evidence)).unwrap_or_default();
        Self {
            frame,
            id: job.id.clone(),
            title: howcome_run::words::cut(&title, 200),
            name: job.title.clone(),
            question: job.question,
            state,
            headline,
            address,
            is_shared: false,
            is_over,
            can_resume: job.can_be_resumed(),
            has_diagnosis: !answer.is_empty() && job.ending.as_deref() != Some("refused"),
            problem: job.problem.clone(),
            style,
            answer,
            evidence,
            live,
            beside: None,
            downloads: Vec::new(),
            feedback: Vec::new(),
            shares: String::new(),
        }
    }
}

/// Two inputs, each with its name and text.
pub(crate) struct InputsBeside {
    pub(crate) title: &'static str,
    pub(crate) left: (String, String),
    pub(crate) right: (String, String),
}

/// How a step of a chain came to be.
pub(crate) enum BeforeView {
    /// Nobody has asked.
    Button,
    /// Nobody has asked, and the reader may not.
    Nothing,
    Waiting,
    Problem(String),
    Found(FoundBefore),
}

/// The answer.
pub(crate) struct FoundBefore {
    pub(crate) sentence: String,
    /// The code in between, with the numbers of its lines.
    pub(crate) lines: Vec<(u64, String)>,
}

#[derive(Template)]
#[template(path = "before.html")]
pub(crate) struct BeforePart {
    pub(crate) address: String,
    pub(crate) step: usize,
    pub(crate) answer: BeforeView,
}

#[derive(Template)]
#[template(path = "live.html")]
struct LiveTemplate {
    sentence: String,
    cards: Vec<(String, String)>,
    picture: Option<String>,
    last: Vec<LiveStep>,
    warnings: Vec<String>,
}

/// A test that was just run.
struct LiveStep {
    number: String,
    outcome: String,
    sign: char,
    with: String,
    left: String,
    reason: String,
}

const LAST_TESTS: usize = 6;

/// What changes while a job runs.
pub(crate) fn live_part(job: &JobRow, summary: Option<&Summary>, place: i64) -> String {
    let summary = summary.filter(|_| job.status != JobStatus::Queued);
    let sentence = match (job.status, summary) {
        (JobStatus::Queued, _) if place > 0 => {
            format!("{} before it.", count(u64::try_from(place).unwrap_or(0), "job"))
        }
        (JobStatus::Queued, _) => "It is the next one.".to_owned(),
        (JobStatus::Running, _) if job.is_cancelled => "Stopping; the best so far is kept.".to_owned(),
        (JobStatus::Running, None) => "Preparing the files and the first tests.".to_owned(),
        (JobStatus::Running, Some(summary)) => being_tried(job, summary),
        _ => "It is over.".to_owned(),
    };
    let template = LiveTemplate {
        sentence,
        cards: summary.map(cards).unwrap_or_default(),
        picture: summary.and_then(|summary| size_curve(summary).or_else(|| picture(summary))),
        last: summary.map(last_tests).unwrap_or_default(),
        warnings: summary.map(|summary| summary.warnings.clone()).unwrap_or_default(),
    };
    template.render().unwrap_or_default()
}

/// What is being tried, and how much time is left.
fn being_tried(job: &JobRow, summary: &Summary) -> String {
    let Some(stage) = summary.stages.last() else { return "Running the test on both sides.".to_owned() };
    let deltas = count(stage.deltas.into(), stage.unit.as_str());
    let mut sentence =
        format!("Searching {}: {} of {deltas} left.", stage.subject, thousands(stage.left.into()));
    let tests = summary.counts.told;
    let seconds = (now() - job.started.unwrap_or(job.created)).max(0) as f64 / 1_000.0;
    if tests >= 3 && stage.left > 1 {
        // A search by halves asks about twice the logarithm of what is left; others ask more.
        let questions = 2.0 * f64::from(stage.left).log2().max(1.0);
        let left = (seconds / tests as f64 * questions).ceil().min(1e7);
        let left = Duration::from_secs_f64(left);
        sentence += &format!(" About {} more, if the search goes on by halves.", duration(left));
    }
    sentence
}

fn cards(summary: &Summary) -> Vec<(String, String)> {
    let counts = &summary.counts;
    let name =
        |number: u64, one: &str, many: &str| if number == 1 { one.to_owned() } else { many.to_owned() };
    vec![
        (thousands(counts.told), name(counts.told, "test", "tests")),
        (thousands(counts.pass), "✓ pass".to_owned()),
        (thousands(counts.fail), "✗ fail".to_owned()),
        (thousands(counts.unresolved), "? unresolved".to_owned()),
        (thousands(counts.executed), name(counts.executed, "run in all", "runs in all")),
    ]
}

fn last_tests(summary: &Summary) -> Vec<LiveStep> {
    let tested = summary.trail.iter().rev().filter(|step| step.how == AnswerSource::Tested);
    let shown = |step: &TrailStep| LiveStep {
        number: step.number.map(thousands).unwrap_or_default(),
        outcome: step.outcome.to_string(),
        sign: step.outcome.sign(),
        with: match (&step.name, &step.configuration) {
            (Some(name), _) => cut(&printable(name), 80),
            (None, Some(configuration)) => compact(configuration, 48),
            (None, None) => String::new(),
        },
        left: step.bytes.map_or_else(|| thousands(step.left.into()), size),
        reason: step
            .because
            .as_ref()
            .map(|because| cut(&printable(&because.to_string()), 120))
            .unwrap_or_default(),
    };
    tested.take(LAST_TESTS).map(shown).collect()
}
