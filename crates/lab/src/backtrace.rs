//! Backtraces that tests print: those of sanitizers, debuggers and the runtimes of many languages.

use crate::message::plain;
use crate::{Captured, Execution};

/// How many of the innermost functions are compared. The outer ones mostly show how the test reached the crash.
const FRAMES: usize = 6;

/// The innermost functions of the backtrace in a test's output, if it printed one.
pub(crate) fn printed(execution: &Execution) -> Option<Vec<String>> {
    [&execution.stderr, &execution.stdout].into_iter().find_map(in_stream)
}

fn in_stream(stream: &Captured) -> Option<Vec<String>> {
    stream.pieces().find_map(|piece| {
        let text = String::from_utf8_lossy(piece);
        let lines: Vec<&str> = text.lines().collect();
        let readers = [numbered, of_rust, of_python, of_go, of_java];
        readers.into_iter().find_map(|read| innermost(read(&lines)))
    })
}

/// The innermost functions, without those that a runtime calls to report an error. `None` if no function has a name.
pub(crate) fn innermost(mut frames: Vec<String>) -> Option<Vec<String>> {
    let begin = frames.iter().position(|frame| !is_machinery(frame))?;
    frames.drain(..begin);
    if let Some(main) = frames.iter().position(|frame| frame == "main") {
        frames.truncate(main + 1);
    }
    frames.truncate(FRAMES);
    Some(frames)
}

/// Functions at the top of every crash of their kind.
fn is_machinery(function: &str) -> bool {
    const NAMES: [&str; 6] = ["??", "raise", "gsignal", "abort", "panic", "malloc_printerr"];
    #[rustfmt::skip]
    const BEGINNINGS: [&str; 17] = [
        "__pthread_kill", "pthread_kill", "__GI_", "__assert", "__libc_message", "__interceptor_", "__asan",
        "__sanitizer", "__cxa_", "__gnu_cxx::", "std::terminate", "__rustc::", "rust_begin_unwind", "rust_panic",
        "core::panicking", "std::panicking", "runtime.",
    ];
    NAMES.contains(&function) || BEGINNINGS.iter().any(|begin| function.starts_with(begin))
}

/// `#0 0x4f12 in parse(char*) x.cc:7` of sanitizers, `#0  parse (p=0x0) at x.c:7` of gdb, `#0 x.php(7): parse()` of PHP.
pub(crate) fn numbered(lines: &[&str]) -> Vec<String> {
    let mut frames = Vec::new();
    for line in lines {
        let next = format!("#{} ", frames.len());
        if let Some(frame) = line.trim_start().strip_prefix(&next) {
            let frame = frame.split_once("): ").map_or(frame, |(_, function)| function).trim_start();
            let frame = match frame.strip_prefix("0x").and_then(|frame| frame.split_once(" in ")) {
                Some((_, function)) => function,
                None => frame,
            };
            frames.push(name(frame));
        }
    }
    frames
}

/// `   0: core::panicking::panic_fmt`, followed by a line with the source location.
fn of_rust(lines: &[&str]) -> Vec<String> {
    let begin =
        lines.iter().position(|line| line.trim() == "stack backtrace:").map_or(lines.len(), |at| at + 1);
    let mut frames = Vec::new();
    for line in &lines[begin..] {
        let next = format!("{}: ", frames.len());
        if let Some(function) = line.trim_start().strip_prefix(&next) {
            // With RUST_BACKTRACE=full, an address comes before the function and a hash after it.
            let function = function.split_once(" - ").map_or(function, |(_, function)| function);
            let hash = function.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16);
            frames.push(hash.map_or(function, |(function, _)| function).to_owned());
        }
    }
    frames
}

/// The last traceback: the exceptions before it were handled.
fn of_python(lines: &[&str]) -> Vec<String> {
    let begin = lines.iter().rposition(|line| line.starts_with("Traceback (most recent call last)"));
    let Some(begin) = begin else { return Vec::new() };
    let trace = lines[begin + 1..].iter().take_while(|line| line.starts_with([' ', '\t']));
    let function = |line: &&str| {
        let (_, function) = line.trim_start().strip_prefix("File ")?.rsplit_once(", in ")?;
        Some(function.to_owned())
    };
    let mut frames: Vec<String> = trace.filter_map(function).collect();
    frames.reverse();
    frames
}

/// `main.f(0x0)`, followed by a line with the source location.
fn of_go(lines: &[&str]) -> Vec<String> {
    let is_running = |line: &&str| line.starts_with("goroutine ") && line.contains("[running");
    let Some(begin) = lines.iter().position(is_running) else { return Vec::new() };
    let trace = lines[begin + 1..].iter().take_while(|line| !line.trim().is_empty());
    let functions = trace.filter(|line| !line.starts_with([' ', '\t']));
    functions.filter_map(|line| line.rsplit_once('(').map(|(function, _)| function.to_owned())).collect()
}

/// `at a.B.c(B.java:12)`, and `at f (/x/y.js:1:7)` of JavaScript.
fn of_java(lines: &[&str]) -> Vec<String> {
    fn frame<'a>(line: &&'a str) -> Option<&'a str> {
        let text = line.trim_start();
        let is_place = text.ends_with(')') || text.contains(':');
        text.strip_prefix("at ").filter(|_| is_place && text.len() < line.len())
    }
    let trace = lines.iter().skip_while(|line| frame(line).is_none()).map_while(frame);
    trace.map(|frame| plain(frame.split('(').next().unwrap_or_default())).collect()
}

/// The name of a function, without its arguments and everything after them.
fn name(frame: &str) -> String {
    let mut depth = 0_u32;
    let skipped = if frame.starts_with("(anonymous namespace)") { "(anonymous namespace)".len() } else { 0 };
    let end = frame.char_indices().skip_while(|(at, _)| *at < skipped).find(|(_, character)| {
        match character {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (*character == '(' || character.is_whitespace())
    });
    frame[..end.map_or(frame.len(), |(at, _)| at)].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestEnding;

    fn assert_frames(printed_text: &str, expected: &[&str]) {
        let execution =
            Execution { stderr: Captured::whole(printed_text), ..Execution::new(TestEnding::Exit(1)) };
        assert_eq!(printed(&execution).unwrap_or_default(), expected, "{printed_text}");
    }

    #[test]
    fn backtraces_of_many_languages_are_read() {
        assert_frames(
            "==18==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x56 in h /tmp/a/p.c:4\n    #1 0x56 in \
             std::vector<int, std::allocator<int> >::at(unsigned long) /x.h:9\n    #2 0x5 in main /tmp/a/p.c:7\n    \
             #3 0x7f in __libc_start_call_main ../x.h:58\n",
            &["h", "std::vector<int, std::allocator<int> >::at", "main"],
        );
        assert_frames(
            "#0  0x00005 in raise () from /lib/libc.so\n#1  0x7 in abort ()\n#2  check (p=0x0) at p.c:4\n#3  main () at p.c:9",
            &["check", "main"],
        );
        assert_frames(
            "thread 'main' panicked at r.rs:1:32:\nno\nstack backtrace:\n   0: __rustc::rust_begin_unwind\n             at \
             /rustc/x.rs:1\n   1: core::panicking::panic_fmt\n             at /y.rs:80:14\n   2: r::f\n             at ./r.rs:1:32\n   \
             3: r::main\n",
            &["r::f", "r::main"],
        );
        assert_frames(
            "stack backtrace:\n   0:     0x55d - std::panicking::begin::h0123456789abcdef\n   1:     0x55d - \
             r::f::h0123456789abcdef\n   2:     0x55d - main\n",
            &["r::f", "main"],
        );
        assert_frames(
            "Traceback (most recent call last):\n  File \"x.py\", line 1, in old\nKeyError: 1\n\nDuring handling:\n\nTraceback (most \
             recent call last):\n  File \"x.py\", line 9, in <module>\n    f()\n    ^^^\n  File \"x.py\", line 3, in f\n    1/0\nE: no",
            &["f", "<module>"],
        );
        assert_frames(
            "panic: no\n\ngoroutine 1 [running]:\npanic({0x1, 0x2})\n\t/go/panic.go:8\nmain.(*T).f(0x0)\n\t/x.go:12 +0x1d\n\
             main.main()\n\t/x.go:19\nexit status 2",
            &["main.(*T).f", "main.main"],
        );
        assert_frames(
            "Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat a.B.c(B.java:12)\n\tat a.B.main(B.java:2)\n",
            &["a.B.c", "a.B.main"],
        );
        assert_frames(
            "TypeError: no\n    at f (/x/y.js:1:7)\n    at Object.<anonymous> (/x/y.js:12:1)\n    at /x/z.js:3:4\n\nNode.js",
            &["f", "Object.<anonymous>", "/x/z.js:#:#"],
        );
        assert_frames(
            "PHP Fatal error:  no\nStack trace:\n#0 /x/a.php(3): f()\n#1 /x/a.php(9): B->g(1)\n#2 {main}",
            &["f", "B->g", "{main}"],
        );
        assert_frames("error: nothing to see\n  at all", &[]);
    }

    #[test]
    fn only_the_innermost_functions_count() {
        let deep: String = (0..20).map(|frame| format!("#{frame}  f{frame} () at x.c:1\n")).collect();
        assert_frames(&deep, &["f0", "f1", "f2", "f3", "f4", "f5"]);
        assert_eq!(innermost(vec!["??".to_owned(), "??".to_owned()]), None);
    }

    #[test]
    fn names_can_contain_any_characters() {
        assert_eq!(name("(anonymous namespace)::f(int) /x.cc:3"), "(anonymous namespace)::f");
        assert_eq!(name("n::S<int (*)(int)>::f(int)"), "n::S<int (*)(int)>::f");
        assert_eq!(name(""), "");
        assert_eq!(name("é é"), "é");
    }
}
