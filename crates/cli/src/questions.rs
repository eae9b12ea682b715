//! The table of questions. Commands that work on any run go through it.

use crate::question::QuestionCommands;
use crate::{changes, history, input, items, state};
use howcome_run::{Problem, QuestionName};

/// All questions, in the order of the help.
pub(crate) const QUESTIONS: &[QuestionCommands] =
    &[changes::QUESTION, history::QUESTION, input::QUESTION, items::QUESTION, state::QUESTION];

/// A question by its name.
pub(crate) fn question(name: QuestionName) -> Result<&'static QuestionCommands, Problem> {
    let named = QUESTIONS.iter().find(|question| question.name == name);
    named.ok_or_else(|| Problem::bug(format!("`{name}` is not in the table of questions")))
}
