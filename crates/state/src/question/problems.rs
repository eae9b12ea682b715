//! What can be wrong with a program, and what to do about it.

use crate::debug::DebugError;
use crate::tracee::{TraceError, Unsupported};
use crate::{PlaceNotFound, RunsNotComparable};
use howcome_run::Problem;

impl From<RunsNotComparable> for Problem {
    fn from(error: RunsNotComparable) -> Self {
        let problem = Problem::new(error.to_string());
        match error {
            RunsNotComparable::Debug(error) => problem.hint(debug_hint(&error)),
            RunsNotComparable::Run(_, error) => with_hint(problem, &error),
            RunsNotComparable::DoesNotEnd(_) => {
                problem.hint("--timeout sets how long a run may take; is the program waiting for something?")
            }
        }
    }
}

impl From<PlaceNotFound> for Problem {
    fn from(error: PlaceNotFound) -> Self {
        let problem = Problem::new(error.to_string());
        match error {
            PlaceNotFound::Unknown(_) => {
                problem.hint("--at takes a function, or FILE:LINE of a file that was compiled with -g")
            }
            PlaceNotFound::NotReached { .. } | PlaceNotFound::NotComparable(_) => {
                problem.hint("choose a place before the two runs diverge, or omit --at")
            }
            PlaceNotFound::Tracee(error) => with_hint(problem, &error),
        }
    }
}

fn with_hint(problem: Problem, error: &TraceError) -> Problem {
    match error {
        TraceError::Forbidden(_) => problem.hint(
            "look at /proc/sys/kernel/yama/ptrace_scope (3 forbids it), and in a container allow it \
             (docker run --cap-add=SYS_PTRACE --security-opt seccomp=unconfined)",
        ),
        TraceError::Refused(refusal) => match refusal {
            Unsupported::Thread => {
                problem.hint("only programs with one thread can be copied; many programs have an option to use one thread")
            }
            Unsupported::Process | Unsupported::Exec => {
                problem.hint("give the program that fails, not a program that starts it")
            }
            Unsupported::Terminal => problem.hint("give it its input with `< FILE`"),
            Unsupported::OtherUser => problem.hint("copy it without the setuid and setgid bits, and run the copy"),
            Unsupported::Socket | Unsupported::Shared(_) => problem.hint(
                "use a run that only reads files and prints results: such a run can be copied",
            ),
            Unsupported::TooLarge(_) => problem.hint("let it write to a smaller file, or to a new one"),
            Unsupported::Vanished => problem.hint("did another program kill it? try again"),
        },
        TraceError::CouldNotStart { .. } => problem.hint("start it by hand: does it run to its end?"),
        TraceError::Ended => problem.hint(
            "it ends before its own code begins; is a library missing, or does it need more memory than --memory allows? \
             (AddressSanitizer needs --memory 40000G and ASAN_OPTIONS=detect_leaks=0)",
        ),
        _ => problem,
    }
}

fn debug_hint(error: &DebugError) -> String {
    match error {
        DebugError::Unreadable { .. } => "check its permissions".to_owned(),
        DebugError::NoProgram { .. } => {
            "give the program that the script starts, with the same arguments".to_owned()
        }
        DebugError::OtherMachine { .. } => "build it for x86-64 Linux".to_owned(),
        DebugError::None { looked_in, .. } => {
            let build = "build it with debug information: gcc -g -O0, clang -g -O0, rustc -g (cargo's dev profile has it)";
            let looked: Vec<String> = looked_in.iter().map(|path| path.display().to_string()).collect();
            match looked.is_empty() {
                true => build.to_owned(),
                false => format!("{build}\nhint: these places were searched: {}", looked.join(", ")),
            }
        }
        DebugError::Corrupt { .. } => {
            "build it again; `readelf --debug-dump=info` shows what is in it".to_owned()
        }
    }
}
