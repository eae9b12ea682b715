//! The file in which a worker of the cluster reports what a candidate did.

use howcome_lab::{CaptureLimits, Captured, SiteRun, StepRun, TestEnding};
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a worker reports.
#[derive(Debug)]
pub(crate) struct WorkerReport {
    steps: Vec<RawStep>,
    folder: Vec<u8>,
    unread: Option<Vec<PathBuf>>,
    /// Files that the judge wants, by their paths in the folder of the candidate.
    pub(crate) left: Vec<(PathBuf, Vec<u8>)>,
}

#[derive(Debug)]
struct RawStep {
    ending: StepEnding,
    took: Duration,
    streams: [RawStream; 2],
}

#[derive(Debug)]
enum StepEnding {
    Exit(i32),
    Signal(i32),
    Late,
    Missing,
    Denied,
}

#[derive(Debug)]
struct RawStream {
    head: Vec<u8>,
    skipped: u64,
    tail: Vec<u8>,
}

impl WorkerReport {
    /// Reads a result; `None` if it is not one.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(2).position(|pair| pair == b"\n\n")?;
        let mut body = &bytes[end + 2..];
        let mut take = |length: usize| {
            let (piece, rest) = body.split_at_checked(length)?;
            body = rest;
            Some(piece.to_vec())
        };
        let mut lines = bytes[..end].split(|byte| *byte == b'\n');
        if lines.next()? != b"howcome 1" {
            return None;
        }
        let folder = lines.next()?.strip_prefix(b"folder ")?.to_vec();
        let (mut steps, mut unread, mut left) = (Vec::new(), None, Vec::new());
        for line in lines {
            let (word, rest) = line.split_at(line.iter().position(|byte| *byte == b' ')?);
            let rest = &rest[1..];
            match word {
                b"step" => {
                    let fields: Vec<&str> = std::str::from_utf8(rest).ok()?.split(' ').collect();
                    let [ending, begin, end, numbers @ ..] = fields.as_slice() else { return None };
                    let [begin, end] = [begin, end].map(|time| time.parse::<u64>().ok());
                    let numbers: Vec<u64> =
                        numbers.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?;
                    let &[out_head, out_skipped, out_tail, err_head, err_skipped, err_tail] =
                        numbers.as_slice()
                    else {
                        return None;
                    };
                    let mut stream = |head: u64, skipped, tail: u64| {
                        let head = take(usize::try_from(head).ok()?)?;
                        Some(RawStream { head, skipped, tail: take(usize::try_from(tail).ok()?)? })
                    };
                    let streams =
                        [stream(out_head, out_skipped, out_tail)?, stream(err_head, err_skipped, err_tail)?];
                    let ending = match *ending {
                        "late" => StepEnding::Late,
                        "missing" => StepEnding::Missing,
                        "denied" => StepEnding::Denied,
                        other => match other.strip_prefix('s') {
                            Some(signal) => StepEnding::Signal(signal.parse().ok()?),
                            None => StepEnding::Exit(other.parse().ok()?),
                        },
                    };
                    // Somebody can set the clock of a worker.
                    let took = Duration::from_nanos(end?.saturating_sub(begin?));
                    steps.push(RawStep { ending, took, streams });
                }
                b"unread" => {
                    let names = take(std::str::from_utf8(rest).ok()?.parse().ok()?)?;
                    let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
                    let path = |name: &[u8]| {
                        PathBuf::from(OsStr::from_bytes(name.strip_prefix(b"./").unwrap_or(name)))
                    };
                    unread = Some(names.map(path).collect());
                }
                b"left" => {
                    let space = rest.iter().position(|byte| *byte == b' ')?;
                    let (size, path) = (&rest[..space], &rest[space + 1..]);
                    let bytes = take(std::str::from_utf8(size).ok()?.parse().ok()?)?;
                    left.push((PathBuf::from(OsStr::from_bytes(path)), bytes));
                }
                _ => return None,
            }
        }
        (body.is_empty() && !steps.is_empty()).then_some(Self { steps, folder, unread, left })
    }

    /// How long the steps took.
    pub(crate) fn took(&self) -> Duration {
        self.steps.iter().map(|step| step.took).sum()
    }

    /// The same with the paths and limits of this machine. The command has this many builds.
    pub(crate) fn into_run(
        self,
        folder: &Path,
        builds: usize,
        limits: [Duration; 2],
        keep: CaptureLimits,
        is_cached: bool,
    ) -> Option<SiteRun> {
        let [limit, build_limit] = limits;
        let (there, here) = (self.folder, folder.as_os_str().as_bytes());
        let stream = |stream: RawStream| {
            let [head, tail] = [stream.head, stream.tail].map(|bytes| replaced(&bytes, &there, here));
            Captured::limited(&head, stream.skipped, &tail, keep)
        };
        let step = |step: RawStep, limit: Duration| {
            let ending = match step.ending {
                StepEnding::Late => Ok(TestEnding::TimedOut),
                // The worker stops a test later, at a round time, so that the same test is the same action in all runs.
                _ if step.took > limit => Ok(TestEnding::TimedOut),
                StepEnding::Exit(code) => Ok(TestEnding::Exit(code)),
                StepEnding::Signal(number) => Ok(TestEnding::Signal(number)),
                StepEnding::Missing => Err(io::ErrorKind::NotFound),
                StepEnding::Denied => Err(io::ErrorKind::PermissionDenied),
            };
            let [stdout, stderr] = step.streams.map(&stream);
            StepRun { ending, stdout, stderr, took: step.took.min(limit) }
        };
        let mut steps = self.steps.into_iter();
        let built: Vec<StepRun> = steps.by_ref().take(builds).map(|raw| step(raw, build_limit)).collect();
        let went_well =
            built.len() == builds && built.iter().all(|build| build.ending == Ok(TestEnding::Exit(0)));
        let test = steps.next().filter(|_| went_well).map(|raw| step(raw, limit));
        let is_complete = test.is_some() || !went_well;
        let unread = self.unread;
        is_complete.then_some(SiteRun { builds: built, test, unread, is_cached })
    }
}

/// Bytes with each occurrence of a part replaced.
fn replaced(bytes: &[u8], part: &[u8], by: &[u8]) -> Vec<u8> {
    if part.is_empty() || bytes.len() < part.len() {
        return bytes.to_vec();
    }
    let mut whole = Vec::with_capacity(bytes.len());
    let mut place = 0;
    while place < bytes.len() {
        if bytes[place..].starts_with(part) {
            whole.extend_from_slice(by);
            place += part.len();
        } else {
            whole.push(bytes[place]);
            place += 1;
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULT: &[u8] =
        b"howcome 1\nfolder /far/c0/files\nstep 0 100 200 3 0 0 0 0 0\nstep s11 5 7 0 0 0 18 4 1\nunread 6\nleft 2 a b\n\nok\n/far/c0/files/x: n!./x\0z\0hi";

    fn run(bytes: &[u8], builds: usize, limit: Duration) -> Option<SiteRun> {
        let keep = CaptureLimits::default();
        WorkerReport::parse(bytes)?.into_run(Path::new("/here"), builds, [limit; 2], keep, false)
    }

    #[test]
    fn a_result_names_the_folder_of_this_machine() {
        let run = run(RESULT, 1, Duration::from_secs(1)).unwrap();
        assert_eq!(run.builds[0].stdout, Captured::whole("ok\n"));
        let test = run.test.unwrap();
        assert_eq!(test.ending, Ok(TestEnding::Signal(11)));
        assert_eq!(test.stderr.pieces().next().unwrap(), b"/here/x: n");
        assert_eq!(test.stderr.skipped(), 4);
        assert_eq!(run.unread.unwrap(), [PathBuf::from("x"), PathBuf::from("z")]);
        assert_eq!(WorkerReport::parse(RESULT).unwrap().left, [(PathBuf::from("a b"), b"hi".to_vec())]);
    }

    #[test]
    fn a_damaged_result_is_no_result() {
        for end in 0..RESULT.len() {
            assert!(WorkerReport::parse(&RESULT[..end]).is_none(), "{end}");
        }
        assert!(WorkerReport::parse(&[RESULT, b"x"].concat()).is_none());
    }

    #[test]
    fn a_test_that_took_longer_than_its_limit_has_timed_out() {
        let run = run(RESULT, 1, Duration::from_nanos(100)).unwrap();
        assert_eq!(run.builds[0].ending, Ok(TestEnding::Exit(0)));
        let late = super::WorkerReport::parse(RESULT).unwrap();
        let late = late.into_run(
            Path::new("/here"),
            1,
            [Duration::from_nanos(1); 2],
            CaptureLimits::default(),
            false,
        );
        assert_eq!(late.unwrap().builds[0].ending, Ok(TestEnding::TimedOut));
    }
}
