//! How did it come to fail? The demo of `howcome state`, on a small C program that it compiles itself.

use super::{ask, make_folder, may_ask, say, write};
use howcome_run::Problem;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) const PRICES: &str = include_str!("../../demo/list/prices.c");
/// Compilers that may be there, the first that is.
const COMPILERS: [&str; 2] = ["cc", "gcc"];
/// With debug information, and with every variable where the source says it is.
pub(crate) const FLAGS: [&str; 5] = ["-g", "-O0", "-o", "prices", "prices.c"];

pub(crate) const FAILING: &str = "./prices 9 8 7 6 5";
pub(crate) const PASSING: &str = "./prices 9 8 7 6 5 4";

/// Asks the question, and says so where it can't be asked here.
pub(super) fn how_it_came_to_fail(folder: &Path) -> Result<(), Problem> {
    say("HOW DID IT COME TO FAIL?\n");
    make_folder(folder)?;
    write(&folder.join("prices.c"), PRICES)?;
    let compiler = match compile(folder) {
        Ok(compiler) => compiler,
        Err(why) => {
            say(&format!(
                "For this question the demo compiles a C program, which it cannot do here: {why}\n"
            ));
            return Ok(());
        }
    };
    say(&format!(
        "The shop's prices.c, of {} lines, prints prices, the cheapest first. Of 9, 8, 7, 6 and 5 it says that the cheapest is\n\
         0; with one price more, 4, all is well. It is the same program both times: how does the one run go wrong where the\n\
         other does not? The program needs debug information; it was made by {compiler} {}.\n",
        PRICES.lines().count(),
        FLAGS.join(" ")
    ));
    let question = ["state", "--run-dir", "run", "--fail", FAILING, "--pass", PASSING];
    if !may_ask(folder, &question)? {
        say("It says itself why it cannot do that here; the other questions do not need it.\n");
        return Ok(());
    }
    say(
        "Both runs were stopped as they entered each of these functions. Then values of the failing run were put into copies of\n\
         the passing one, to see which of them make it fail. (Set back in the failing run, argc alone does not help: there is\n\
         no sixth price to be read.) Each step can be asked about. How did the 0 get into prices[0]?\n",
    );
    ask(folder, &["show", "run", "--before", "4"])?;
    say(
        "So sort has put it there, and rightly: it is the least of what sort was given. One step before, it was in prices[5],\n\
         but five prices end with prices[4]! sort was told of one too many, as its call in main says: sort(prices, argc), where\n\
         argc counts the name of the program, too.\n",
    );
    Ok(())
}

/// Compiles the program and gives the compiler that did it, or says why that cannot be.
fn compile(folder: &Path) -> Result<&'static str, String> {
    for compiler in COMPILERS {
        let made = Command::new(compiler)
            .args(FLAGS)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output();
        match made {
            Ok(output) if output.status.success() => return Ok(compiler),
            Ok(output) => {
                return Err(format!("{compiler} says: {}", String::from_utf8_lossy(&output.stderr).trim()));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{compiler} cannot be started: {error}")),
        }
    }
    Err(format!("neither {} is installed.", COMPILERS.join(" nor ")))
}
