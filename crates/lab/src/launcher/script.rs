//! The script that runs one test on the machine to which a launcher brings it.

use crate::Command;
use crate::limits::Limits;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// What the script says instead of an exit code.
pub(super) const TOO_LATE: &str = "late";
pub(super) const NO_FOLDER: &str = "no-folder";
pub(super) const NO_PROGRAM: &str = "no-program";

/// Before the test. If a launcher starts several copies of the script, only the first one runs the test. When nobody waits for the test any
/// more, all files can be gone, so the script remembers which process the test is.
const BEFORE: &str = r#"
up() { read -r now _ 2>/dev/null </proc/uptime && printf '%s' "$now"; }
finish() { printf '%s %s %s\n' "$1" "$began" "$(up)" >"$r.part" && mv "$r.part" "$r.ended"; exit 0; }
find_test() { [ -n "$test" ] || read -r test 2>/dev/null <"$r.pid"; }
stop() {
    if find_test; then
        kill -s KILL -- "-$test" 2>/dev/null || kill -s KILL "$test" 2>/dev/null
    else
        for child in $(cat "/proc/$$/task/$$/children" 2>/dev/null); do
            [ "$child" = "$me" ] || kill -s KILL "$child" 2>/dev/null
        done
    fi
}
watch() {
    trap 'kill "$nap" 2>/dev/null; exit 0' TERM
    me=$(exec sh -c 'echo "$PPID"')
    n=0
    while [ -e "$r.keep" ]; do
        if [ "$n" -ge "$steps" ]; then : >"$r.late"; break; fi
        if find_test; then n=$((n + 1)) nap_time=$step; else nap_time=0.05; fi
        sleep "$nap_time" & nap=$!
        wait "$nap"
    done
    while kill -0 "$$" 2>/dev/null; do stop; sleep 0.1; done
}
test= me=
[ -e "$r.keep" ] || exit 1
mkdir "$r.begun" 2>/dev/null || exit 0
trap 'stop; exit 1' HUP INT TERM
began=$(up)
cd "$folder" 2>/dev/null || finish no-folder
case $program in
    */*) [ -f "$program" ] && [ -x "$program" ] ;;
    *) command -v "$program" >/dev/null ;;
esac || finish no-program
own=
command -v setsid >/dev/null && own=setsid
watch </dev/null >/dev/null 2>&1 & watcher=$!
"#;

/// After the test, whose exit code is in `$?`.
const AFTER: &str = r#"
code=$?
kill "$watcher" 2>/dev/null
stop
[ -e "$r.keep" ] || exit 1
[ ! -e "$r.late" ] || finish late
finish "$code"
"#;

/// The text of the script for a command. `record` is the beginning of the names of its files, `temporary` the folder for temporary
/// files of the test.
pub(super) fn script(command: &Command, limits: &Limits, record: &Path, temporary: &Path) -> Vec<u8> {
    let mut text =
        b"# Written by howcome: runs one test on the machine to which a launcher brings it.\n".to_vec();
    let (step, steps) = steps_of(limits.timeout);
    let mut set = |name: &str, value: &OsStr| {
        text.extend_from_slice(name.as_bytes());
        text.push(b'=');
        quote(value, &mut text);
        text.push(b'\n');
    };
    set("r", record.as_os_str());
    set("folder", command.directory.as_os_str());
    set("program", command.program.as_os_str());
    set("step", OsStr::new(step));
    set("steps", OsStr::new(&steps.to_string()));
    let variables = command.environment.iter().filter(|(name, _)| is_name(name));
    for (name, value) in variables {
        set(&format!("export {}", name.display()), value);
    }
    set("export TMPDIR", temporary.as_os_str());
    text.extend_from_slice(BEFORE.as_bytes());
    // The limit holds for the test, not for this script.
    let limit = limits.memory.map(|bytes| format!("ulimit -v {} || exit 126; ", bytes.div_ceil(1024)));
    let limit = limit.unwrap_or_default();
    text.extend_from_slice(
        format!("$own sh -c '{limit}echo \"$$\" >\"$0.pid\" || exit 126; exec \"$@\"' \"$r\"").as_bytes(),
    );
    for word in [command.program.as_os_str()].into_iter().chain(command.arguments.iter().map(AsRef::as_ref)) {
        text.push(b' ');
        quote(word, &mut text);
    }
    text.extend_from_slice(b" <");
    let nothing = Path::new("/dev/null");
    quote(command.standard_input.as_deref().unwrap_or(nothing).as_os_str(), &mut text);
    text.extend_from_slice(b" >\"$r.out\" 2>\"$r.err\"");
    text.extend_from_slice(AFTER.as_bytes());
    text
}

/// How long the script sleeps between two looks at the clock, in seconds, and after how many of them the time is up.
fn steps_of(timeout: Duration) -> (&'static str, u128) {
    let (step, milliseconds) = if timeout < Duration::from_secs(30) { ("0.1", 100) } else { ("1", 1000) };
    (step, timeout.as_millis().div_ceil(milliseconds).max(1))
}

/// Whether a shell can have a variable of this name.
fn is_name(name: &OsStr) -> bool {
    let [first, rest @ ..] = name.as_bytes() else { return false };
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    is_letter(first) && rest.iter().all(|byte| is_letter(byte) || byte.is_ascii_digit())
}

/// Appends a word so that a shell reads exactly these bytes.
fn quote(word: &OsStr, text: &mut Vec<u8>) {
    text.push(b'\'');
    for byte in word.as_bytes() {
        match byte {
            b'\'' => text.extend_from_slice(br"'\''"),
            byte => text.push(*byte),
        }
    }
    text.push(b'\'');
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    use std::{fs, process};

    #[test]
    fn every_byte_of_a_word_reaches_the_test() {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("1");
        fs::write(folder.path().join("1.keep"), "").unwrap();
        let odd = OsString::from_vec((1..=255).collect());
        let words = "printf '%s\\n' \"$@\" \"$ODD\" \"$TMPDIR\" \"$PWD\"; exit 7";
        let command = Command::new("/bin/sh", folder.path())
            .arguments([
                OsString::from("-c"),
                words.into(),
                "sh".into(),
                odd.clone(),
                "it's $HOME `x` *".into(),
            ])
            .variable("ODD", odd.clone());
        let file = folder.path().join("1.sh");
        fs::write(&file, script(&command, &Limits::default(), &record, Path::new("/tmp/there"))).unwrap();
        let status = process::Command::new("sh").arg(&file).current_dir("/").status().unwrap();
        assert!(status.success());
        let end = fs::read_to_string(folder.path().join("1.ended")).unwrap();
        assert_eq!(end.split(' ').next(), Some("7"));
        let bytes = odd.as_bytes();
        let here = folder.path().canonicalize().unwrap();
        let rest: [&[u8]; 4] = [b"it's $HOME `x` *", bytes, b"/tmp/there", here.as_os_str().as_bytes()];
        let mut expected = [bytes, b"\n"].concat();
        rest.iter().for_each(|line| expected.extend([line, b"\n".as_slice()].concat()));
        assert_eq!(fs::read(folder.path().join("1.out")).unwrap(), expected);
    }

    #[test]
    fn the_time_is_measured_in_small_steps_if_it_is_short() {
        assert_eq!(steps_of(Duration::from_millis(250)), ("0.1", 3));
        assert_eq!(steps_of(Duration::from_secs(60)), ("1", 60));
        assert_eq!(steps_of(Duration::ZERO), ("0.1", 1));
    }
}
