//! `howcome man`: the manual pages, from the same source as the help.

use crate::exit::{EXIT_CODES, Exit};
use crate::streams;
use clap::{Args, Command};
use clap_mangen::Man;
use howcome_run::Problem;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::PathBuf;

/// The date of this version's manual. It changes with the version.
const DATE: &str = "2026-11-16";

/// The environment variables that howcome reads.
const READ_VARIABLES: [(&str, &str); 7] = [
    ("NO_COLOR", "If it is not empty, nothing is printed in colour, unless --color says otherwise."),
    ("CLICOLOR_FORCE", "If it is neither empty nor 0, colours are printed even if there is no terminal."),
    ("COLUMNS", "The width of tables and sentences, instead of that of the terminal."),
    ("TMPDIR", "Where the folders are made in which tests run (/tmp)."),
    ("HOWCOME_TOKEN", "The token for the service after --server."),
    ("HOWCOME_REMOTE_TOKEN", "The bearer token for the cluster after --remote."),
    ("MAKEFLAGS", "Passed on to builds with make, which also keep going after an error."),
];

/// The environment variables that a test finds.
const TEST_VARIABLES: [(&str, &str); 4] = [
    ("HOWCOME_DIR", "In a test: the folder in which howcome was started."),
    ("HOWCOME_ITEMS", "In a test of howcome items: the file with the chosen items."),
    (
        "HOWCOME_REVISION",
        "In a test of howcome changes and howcome history: the commit that is tested, or that a mix is made from.",
    ),
    ("HOWCOME_COMPLETE", "Set by the scripts of howcome completions."),
];

/// Print the manual page, or write one for each command
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The command that the page is about
    #[arg(conflicts_with = "into")]
    command: Option<String>,
    /// Write howcome.1, howcome-items.1 and so on into this folder
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

pub(crate) fn run(args: ManArgs, command: Command) -> Result<Exit, Problem> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let unwritable = |error: io::Error| Problem::new(error.to_string());
    let Some(folder) = args.into else {
        let wanted = match &args.command {
            Some(name) => command.find_subcommand(name).cloned().ok_or_else(|| {
                Problem::new(format!("`{name}` is not a command")).hint("`howcome --help` lists the commands")
            })?,
            None => command,
        };
        let (_, page) = page(wanted).map_err(unwritable)?;
        streams::write_bytes(std::io::stdout(), &page);
        return Ok(Exit::Found);
    };
    fs::create_dir_all(&folder).map_err(|error| Problem::with_file(&folder, &error))?;
    let commands: Vec<Command> = command.get_subcommands().cloned().chain([command.clone()]).collect();
    for command in commands {
        let (name, page) = page(command).map_err(unwritable)?;
        let path = folder.join(name);
        fs::write(&path, page).map_err(|error| Problem::with_file(&path, &error))?;
    }
    Ok(Exit::Found)
}

/// The file name of a page, and the page.
fn page(mut command: Command) -> io::Result<(String, Vec<u8>)> {
    // That of `clap_mangen` lists all flags, and leaves out the `--` before the test.
    let usage = command.render_usage().to_string();
    let examples =
        command.get_after_help().map(ToString::to_string).filter(|text| text.starts_with("Examples"));
    let is_top = command.has_subcommands();
    let man = Man::new(command)
        .date(DATE)
        .source(concat!("howcome ", env!("CARGO_PKG_VERSION")))
        .manual("howcome manual");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    let usage: Vec<String> =
        usage.trim_start_matches("Usage:").lines().map(|line| escaped(line.trim())).collect();
    page.extend(format!(".SH SYNOPSIS\n{}\n", usage.join("\n.br\n")).into_bytes());
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if is_top {
        man.render_subcommands_section(&mut page)?;
    }
    page.extend(list("EXIT STATUS", EXIT_CODES.iter().copied()).into_bytes());
    page.extend(list("ENVIRONMENT", READ_VARIABLES.iter().chain(&TEST_VARIABLES).copied()).into_bytes());
    if let Some(examples) = examples {
        let examples = examples.trim_start_matches("Examples:").trim_start_matches('\n');
        page.extend(format!(".SH EXAMPLES\n.nf\n{}\n.fi\n", escaped(examples)).into_bytes());
    }
    let see = if is_top { "git-bisect(1)" } else { "howcome(1)" };
    page.extend(format!(".SH \"SEE ALSO\"\n{}\n", escaped(see)).into_bytes());
    Ok((man.get_filename(), page))
}

/// A section that is a list of names, each with its meaning.
fn list<'a>(title: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = format!(".SH \"{title}\"\n");
    for (name, meaning) in rows {
        // Writing to a string cannot fail.
        let _ = write!(text, ".TP\n\\fB{}\\fR\n{}\n", escaped(name), escaped(meaning));
    }
    text
}

/// No character of the text means anything to troff.
fn escaped(text: &str) -> String {
    let escape = |line: &str| {
        let line = line.replace('\\', "\\\\").replace('-', "\\-");
        if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
    };
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}
