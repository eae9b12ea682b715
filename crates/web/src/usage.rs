//! How much of the machine a process uses, with all that it has started.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;

/// Beyond this many processes, the others are not looked at: the limit of processes is far below.
const MOST: usize = 20_000;
/// Clock ticks in a second, which is fixed for programs on Linux.
const TICKS: u64 = 100;

/// What a process and all that it has started use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TreeUse {
    /// Bytes of memory, without files of the disk.
    pub(crate) memory: u64,
    /// Bytes of files that have no name any longer, or never had one, and are open: no walk through folders finds them.
    pub(crate) nameless: u64,
    /// Processor time in milliseconds, with that of children which have ended.
    pub(crate) cpu: i64,
}

/// Looks at a process and all that it has started.
pub(crate) fn use_of_tree(pid: u32) -> TreeUse {
    let (mut open, mut all, mut seen) = (vec![pid], TreeUse::default(), HashSet::new());
    for _ in 0..MOST {
        let Some(pid) = open.pop() else { break };
        all.memory = all.memory.saturating_add(memory_of(pid));
        all.nameless = all.nameless.saturating_add(nameless_files(pid, &mut seen));
        all.cpu = all.cpu.saturating_add(processor_time(pid));
        open.extend(children(pid));
    }
    all
}

/// Bytes that are only in memory. A page that several processes share is counted for each of them.
fn memory_of(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let kilobytes = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0)
    };
    (kilobytes("RssAnon:") + kilobytes("RssShmem:")).saturating_mul(1_024)
}

/// `seen` holds files that were counted before.
fn nameless_files(pid: u32, seen: &mut HashSet<(u64, u64)>) -> u64 {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let about = files.filter_map(|file| fs::metadata(file.path()).ok());
    let nameless = about.filter(|about| about.is_file() && about.nlink() == 0);
    nameless.filter(|about| seen.insert((about.dev(), about.ino()))).map(|about| about.blocks() * 512).sum()
}

/// The children of all threads of a process.
pub(crate) fn children(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let texts = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    texts
        .flat_map(|text| text.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>())
        .collect()
}

/// The processor time of a process, with that of its children that were waited for, in milliseconds. It can still be read when the process
/// has ended and was not waited for.
pub(crate) fn processor_time(pid: u32) -> i64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: u64 =
        after_name.split_whitespace().skip(11).take(4).filter_map(|n| n.parse::<u64>().ok()).sum();
    i64::try_from(ticks * 1_000 / TICKS).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_that_was_removed_but_is_open_is_counted_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone");
        let mut file = fs::File::create(&path).unwrap();
        let before = use_of_tree(std::process::id()).nameless;
        file.write_all(&vec![b'x'; 5_000_000]).unwrap();
        file.sync_all().unwrap();
        let again = file.try_clone().unwrap();
        assert!(use_of_tree(std::process::id()).nameless < before + 5_000_000, "it still has a name");
        fs::remove_file(&path).unwrap();
        let grown = use_of_tree(std::process::id()).nameless.saturating_sub(before);
        assert!((5_000_000..10_000_000).contains(&grown), "{grown}");
        drop(again);
    }
}
