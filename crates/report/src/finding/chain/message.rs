//! Messages at the transitions of a cause-effect chain or, if there are none, at its last place.

use crate::Summary;
use crate::finding::chain::{ChainReport, PlaceWords, TransitionWords, VariableWords};
use crate::places::message::{Message, Severity};
use crate::places::span::SourceSpan;
use howcome_run::words::printable;
use howcome_run::{Ending, TransitionFound};

impl ChainReport {
    /// A message for each transition whose place is known, or one for the last step of the chain.
    pub(crate) fn messages(&self, summary: &Summary) -> Vec<Message> {
        let severity = match summary.ending {
            Some(Ending::Found) => Severity::Error,
            _ => Severity::Warning,
        };
        let flow = self.flow();
        let about = |transition: &TransitionFound| match self.is_likely(transition) {
            true => message(transition, severity, " This is the first place to look at."),
            false => message(transition, Severity::Note, ""),
        };
        let mut messages: Vec<Message> = self.transitions.iter().filter_map(about).collect();
        if messages.is_empty() {
            messages.extend(self.last_place(severity));
        }
        for message in &mut messages {
            message.flow.clone_from(&flow);
        }
        messages
    }

    fn last_place(&self, severity: Severity) -> Option<Message> {
        let step = self.steps.iter().rev().find(|step| !step.causes.is_empty())?;
        let span = SourceSpan::of_location(&step.location, &step.source)?;
        let causes: Vec<String> = step.causes.iter().map(|cause| cause.comparison()).collect();
        let decides = if causes.len() == 1 { "decides" } else { "decide together" };
        let text = format!("Here {} {decides}{}.", causes.join(", "), self.ending());
        Some(Message::at(span, "the cause here", text, severity))
    }

    /// The outcome: `: therefore the output starts with "0"`.
    fn ending(&self) -> String {
        match printable(&self.outcome.failing) {
            outcome if outcome.is_empty() => String::new(),
            outcome => format!(": therefore {outcome}"),
        }
    }

    /// The steps of the chain, in the order of the run.
    fn flow(&self) -> Vec<(SourceSpan, String)> {
        let mut flow = Vec::new();
        for step in &self.steps {
            let causes: Vec<String> = step.causes.iter().map(|cause| cause.comparison()).collect();
            let Some(span) = SourceSpan::of_location(&step.location, &step.source) else { continue };
            if !causes.is_empty() {
                flow.push((span, format!("at {}: {}", step.location.moment(), causes.join(", "))));
            }
        }
        flow
    }
}

fn message(transition: &TransitionFound, severity: Severity, likely: &str) -> Option<Message> {
    let (from, to) = (transition.between.first()?, transition.between.last()?);
    let span = SourceSpan::of_interval(from, to, &transition.source)?;
    let interval = transition.interval()?;
    let (before, after) = transition.variables();
    let text = format!("The cause changes from {before} to {after} {interval}.{likely}");
    let mut message = Message::at(span, "the cause changes", text, severity);
    let other = SourceSpan::of_location(to, &[]).filter(|_| from != to);
    let related = other.map(|other| (other, format!("At {}, the cause has already changed.", to.in_full())));
    message.related = related.into_iter().collect();
    Some(message)
}
