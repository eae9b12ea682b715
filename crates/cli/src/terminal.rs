//! What is known about the terminal: whether there are colours, and how wide a line is.

use clap::ValueEnum;
use howcome_report::{Paint, TextForm};
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::sync::OnceLock;

/// Fewer columns are not believed.
const LEAST_COLUMNS: usize = 40;

/// When there are colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// In a terminal, unless NO_COLOR is set; everywhere if CLICOLOR_FORCE is set
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

static CHOICE: OnceLock<ColorChoice> = OnceLock::new();

/// What the user chose with --color. It holds for everything that is printed from now on.
pub(crate) fn choose_color(choice: ColorChoice) {
    CHOICE.get_or_init(|| choice);
}

/// The choice as the words of the command line give it, for messages about these words.
pub(crate) fn color_in(words: impl Iterator<Item = impl AsRef<OsStr>>) -> ColorChoice {
    let mut words = words.take_while(|word| word.as_ref() != "--");
    let mut chosen = None;
    while let Some(word) = words.next() {
        let Some(word) = word.as_ref().to_str() else { continue };
        if word == "--color" {
            chosen = words.next().and_then(|value| value.as_ref().to_str().map(str::to_owned));
        } else if let Some(value) = word.strip_prefix("--color=") {
            chosen = Some(value.to_owned());
        }
    }
    chosen.and_then(|value| ColorChoice::from_str(&value, false).ok()).unwrap_or_default()
}

impl From<ColorChoice> for clap::ColorChoice {
    fn from(choice: ColorChoice) -> Self {
        match choice {
            ColorChoice::Auto => clap::ColorChoice::Auto,
            ColorChoice::Always => clap::ColorChoice::Always,
            ColorChoice::Never => clap::ColorChoice::Never,
        }
    }
}

/// How the answer is laid out on standard output.
pub(crate) fn form_of_answer() -> TextForm {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse::<usize>().ok());
    let columns = columns.filter(|columns| *columns > 0).or_else(|| {
        let size = terminal_size::terminal_size_of(std::io::stdout());
        size.map(|(terminal_size::Width(columns), _)| usize::from(columns)).filter(|columns| *columns > 0)
    });
    let paint = paint(&std::io::stdout());
    match columns {
        Some(columns) => TextForm { columns: columns.max(LEAST_COLUMNS), wraps: true, paint },
        None => TextForm { paint, ..TextForm::PLAIN },
    }
}

/// The columns and rows of the terminal that standard error is.
pub(crate) fn size_of_talk() -> [usize; 2] {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or([80, 24], |(columns, rows)| [usize::from(columns.0), usize::from(rows.0)])
}

/// The colours of standard error.
pub(crate) fn paint_of_talk() -> Paint {
    paint(&std::io::stderr())
}

fn paint(stream: &impl IsTerminal) -> Paint {
    let choice = CHOICE.get().copied().unwrap_or_default();
    Paint(has_colors(choice, |name| std::env::var(name).ok(), stream.is_terminal()))
}

fn has_colors(choice: ColorChoice, variable: impl Fn(&str) -> Option<String>, is_terminal: bool) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if is_set("NO_COLOR") => false,
        ColorChoice::Auto
            if is_set("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE").as_deref() != Some("0") =>
        {
            true
        }
        ColorChoice::Auto => is_terminal && variable("TERM").as_deref() != Some("dumb"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_comes_before_no_color_and_that_before_clicolor_force_and_that_before_the_terminal() {
        let colors = |choice, set: &[(&str, &str)], is_terminal| {
            let value = |name: &str| set.iter().find(|(known, _)| *known == name);
            has_colors(choice, |name| value(name).map(|(_, value)| (*value).to_owned()), is_terminal)
        };
        let (no, force) = (("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1"));
        assert!(colors(ColorChoice::Always, &[no], false));
        assert!(!colors(ColorChoice::Never, &[force], true));
        assert!(!colors(ColorChoice::Auto, &[no, force], true));
        assert!(colors(ColorChoice::Auto, &[force], false));
        assert!(!colors(ColorChoice::Auto, &[("CLICOLOR_FORCE", "0")], false));
        assert!(colors(ColorChoice::Auto, &[("NO_COLOR", "")], true));
        assert!(!colors(ColorChoice::Auto, &[("TERM", "dumb")], true));
        assert!(!colors(ColorChoice::Auto, &[], false));
    }

    #[test]
    fn the_words_of_the_test_are_not_read() {
        let choice = |line: &str| color_in(line.split(' '));
        assert_eq!(choice("items --color never list"), ColorChoice::Never);
        assert_eq!(choice("items --color=always -- --color never"), ColorChoice::Always);
        assert_eq!(choice("items -- test --color=always"), ColorChoice::Auto);
        assert_eq!(choice("items --color"), ColorChoice::Auto);
    }
}
