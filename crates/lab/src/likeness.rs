//! Decides whether a run that ends like the failure is the same failure, by comparison with the failing side.

use crate::printed::Printed;
use crate::{Execution, SameAspect};
use std::collections::BTreeSet;
use std::time::Duration;

/// Less memory than this is not compared: the shell and the runtime use about as much.
const LEAST_MEMORY: u64 = 16_000_000;
/// Less time than this is not compared: starting programs takes about as long, and depends on the load of the machine.
const LEAST_TIME: Duration = Duration::from_millis(100);

/// An aspect that a run must share with the failing side, and its value there.
#[derive(Clone, Debug)]
pub(crate) enum Likeness {
    Output(Printed),
    Memory { factor: f64, bytes: u64 },
    Time { factor: f64, busy: Duration },
    Backtrace(Vec<String>),
    Uninitialised(BTreeSet<String>),
}

impl Likeness {
    /// The value of an aspect on the failing side.
    ///
    /// # Errors
    /// If the failing side does not show this aspect, with the reason in words.
    pub(crate) fn of(same: SameAspect, failing: &Execution) -> Result<Self, String> {
        Ok(match same {
            SameAspect::Output => Likeness::Output(Printed::of(failing)),
            SameAspect::Memory(factor) => Likeness::Memory { factor, bytes: failing.memory },
            SameAspect::Time(factor) => Likeness::Time { factor, busy: failing.cpu },
            SameAspect::Backtrace => match &failing.backtrace {
                Some(told) => Likeness::Backtrace(told.clone()?),
                None => return Err(NOT_LOOKED_AT.to_owned()),
            },
            SameAspect::Uninitialised => match &failing.uninitialised {
                Some(told) => Likeness::Uninitialised(told.clone()?),
                None => return Err(NOT_LOOKED_AT.to_owned()),
            },
        })
    }

    /// The difference of a run, in words. `None` if a tool is needed to find out and has not run yet.
    pub(crate) fn differs(&self, execution: &Execution) -> Option<String> {
        match self {
            Likeness::Output(printed) => printed.differs(&Printed::of(execution)),
            Likeness::Memory { factor, bytes } => {
                let sizes = [execution.memory, *bytes].map(|bytes| bytes.max(LEAST_MEMORY) as f64);
                differs_by_factor(sizes, *factor)
                    .then(|| format!("it used {} instead of {}", size(execution.memory), size(*bytes)))
            }
            Likeness::Time { factor, busy } => {
                let times = [execution.cpu, *busy].map(|busy| busy.max(LEAST_TIME).as_secs_f64());
                differs_by_factor(times, *factor).then(|| {
                    let [took, before] =
                        [execution.cpu, *busy].map(|busy| format!("{:.1} s", busy.as_secs_f64()));
                    format!("it took {took} of processor time instead of {before}")
                })
            }
            Likeness::Backtrace(frames) => match execution.backtrace.as_ref()? {
                Err(why) => Some(format!("where it crashed could not be told: {why}")),
                Ok(others) if others == frames => None,
                Ok(others) => Some(format!("it crashed in {} instead of {}", chain(others), chain(frames))),
            },
            Likeness::Uninitialised(known) => match execution.uninitialised.as_ref()? {
                Err(why) => Some(format!("whether it uses uninitialised data could not be told: {why}")),
                Ok(others) => {
                    let new: Vec<&str> = others.difference(known).map(String::as_str).collect();
                    (!new.is_empty()).then(|| format!("it uses uninitialised data in {}", new.join(", ")))
                }
            },
        }
    }
}

const NOT_LOOKED_AT: &str = "it was not looked at";

fn differs_by_factor([one, other]: [f64; 2], factor: f64) -> bool {
    one > other * factor || other > one * factor
}

fn size(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}

/// Functions, innermost first.
fn chain(frames: &[String]) -> String {
    frames.join(" < ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Captured, TestEnding};

    fn execution() -> Execution {
        Execution::new(TestEnding::Signal(11))
    }

    fn difference(same: SameAspect, failing: &Execution, other: &Execution) -> Option<String> {
        Likeness::of(same, failing).unwrap().differs(other)
    }

    #[test]
    fn memory_and_time_are_compared_by_a_factor_unless_they_are_small() {
        let memory = |megabytes: u64| Execution { memory: megabytes * 1_000_000, ..execution() };
        let of = |failing, other| difference(SameAspect::Memory(2.0), &memory(failing), &memory(other));
        assert_eq!(of(40, 512).as_deref(), Some("it used 512 MB instead of 40 MB"));
        assert_eq!(of(512, 40).as_deref(), Some("it used 40 MB instead of 512 MB"));
        assert_eq!([of(40, 79), of(40, 21), of(2, 14)], [None, None, None]);
        let time = |milliseconds| Execution { cpu: Duration::from_millis(milliseconds), ..execution() };
        let of = |failing, other| difference(SameAspect::Time(3.0), &time(failing), &time(other));
        assert_eq!(of(500, 2000).as_deref(), Some("it took 2.0 s of processor time instead of 0.5 s"));
        assert_eq!([of(500, 1400), of(1, 90), of(1, 290)], [None, None, None]);
    }

    #[test]
    fn another_backtrace_is_another_failure() {
        let crash = |frames: &[&str]| {
            let frames = frames.iter().map(ToString::to_string).collect();
            Execution { backtrace: Some(Ok(frames)), ..execution() }
        };
        let of = |other: &Execution| difference(SameAspect::Backtrace, &crash(&["f", "main"]), other);
        assert_eq!(of(&crash(&["f", "main"])), None);
        assert_eq!(of(&crash(&["g", "f"])).as_deref(), Some("it crashed in g < f instead of f < main"));
        let untold = Execution { backtrace: Some(Err("no".to_owned())), ..execution() };
        assert_eq!(of(&untold).as_deref(), Some("where it crashed could not be told: no"));
        assert_eq!(of(&execution()), None, "no tool has run yet");
        assert_eq!(Likeness::of(SameAspect::Backtrace, &untold).unwrap_err(), "no");
        assert!(Likeness::of(SameAspect::Backtrace, &execution()).is_err());
    }

    #[test]
    fn new_uses_of_uninitialised_data_are_a_difference_but_fewer_uses_are_not() {
        let uses = |functions: &[&str]| {
            let functions = functions.iter().map(ToString::to_string).collect();
            Execution { uninitialised: Some(Ok(functions)), ..execution() }
        };
        let of = |other: &[&str]| difference(SameAspect::Uninitialised, &uses(&["f", "g"]), &uses(other));
        assert_eq!([of(&["f"]), of(&[])], [None, None]);
        assert_eq!(of(&["f", "h", "i"]).as_deref(), Some("it uses uninitialised data in h, i"));
    }

    #[test]
    fn output_is_compared_without_its_numbers() {
        let says = |text: &str| Execution { stdout: Captured::whole(text), ..execution() };
        assert_eq!(difference(SameAspect::Output, &says("sum 3"), &says("sum 4")), None);
        assert!(difference(SameAspect::Output, &says("sum 3"), &says("no sum")).is_some());
    }
}
