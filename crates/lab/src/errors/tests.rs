use super::*;
use crate::{Captured, Execution, TestEnding};

/// The first error of a text on the standard error, in a compact form.
fn first(text: &str) -> String {
    let execution = Execution { stderr: Captured::whole(text), ..Execution::new(TestEnding::Exit(1)) };
    let errors = read_errors(&PrintedText::of(&execution));
    errors.first().map_or_else(String::new, |error| {
        let mut shown = format!("{} | {}", error.kind, error.message);
        if let Some(function) = &error.function {
            shown += &format!(" | in {function}");
        }
        if let Some((file, line)) = &error.place {
            shown += &format!(" | {file}:{line}");
        }
        error.line.iter().for_each(|line| shown += &format!(" | {line}"));
        shown
    })
}

#[test]
fn crashes_of_native_programs_are_known() {
    assert_eq!(
        first(
            "reading\n\nthread 'main' (81) panicked at src/lib.rs:10:5:\nindex out of bounds: the len is 3\nnote: x"
        ),
        "panic | index out of bounds: the len is 3 | src/lib.rs:10"
    );
    assert_eq!(first("thread 'main' panicked at 'boom', src/main.rs:4:5"), "panic | boom | src/main.rs:4");
    assert_eq!(first("a.out: x.c:3: f: Assertion `p != 0' failed."), "assertion | p != 0 | in f | x.c:3");
    assert_eq!(
        first("terminate called after throwing an instance of 'std::out_of_range'\n  what():  at: 12 >= 3\n"),
        "std::out_of_range | at: 12 >= 3"
    );
    assert_eq!(
        first(
            "==77==ERROR: AddressSanitizer: heap-use-after-free on address 0x602\nREAD of size 1\n    #0 0x4f12 in parse(char*) /p/x.cc:7:3\n"
        ),
        "heap-use-after-free |  | in parse(char*) | /p/x.cc:7"
    );
    assert_eq!(first("x.c:3:9: runtime error: division by zero"), "runtime error | division by zero | x.c:3");
    assert_eq!(
        first(
            "panic: boom 12\n\ngoroutine 1 [running]:\npanic({0x1, 0x2})\n\t/go/src/runtime/panic.go:884 +0x1\nmain.f(0x1)\n\t/p/x.go:12 +0x1d\n"
        ),
        "panic | boom 12 | in main.f | /p/x.go:12"
    );
    assert_eq!(first("free(): invalid pointer\nAborted"), "fatal error | free(): invalid pointer");
}

#[test]
fn programs_that_a_signal_ended_are_known_by_what_make_and_shells_say() {
    assert_eq!(
        first("make: *** [Makefile:9: test] Segmentation fault (core dumped)"),
        "Segmentation fault | "
    );
    assert_eq!(first("./x.sh: line 3:  4711 Aborted                 (core dumped) ./prog"), "Aborted | ");
    assert_eq!(first("Segmentation fault"), "Segmentation fault | ");
    assert_eq!(first("checking for Segmentation fault: no"), "");
}

#[test]
fn exceptions_of_interpreters_are_known() {
    assert_eq!(
        first(
            "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    f()\n  File \"x.py\", line 1, in f\n    int(x)\n    ~~~^^^\nValueError: invalid literal: 'abc'\n"
        ),
        "ValueError | invalid literal: 'abc' | in f | x.py:1 | int(x)"
    );
    assert_eq!(
        first("  File \"cart.py\", line 7\n    def total(:\n              ^\nSyntaxError: invalid syntax\n"),
        "SyntaxError | invalid syntax | cart.py:7 | def total(:"
    );
    assert_eq!(
        first(
            "/p/y.js:1\nf(null)\n ^\n\nTypeError: Cannot read properties of undefined (reading 'a')\n    at f (/p/y.js:1:7)\n    at Module._compile (node:internal)\n"
        ),
        "TypeError | Cannot read properties of undefined (reading 'a') | in f | /p/y.js:1 | f(null)"
    );
    assert_eq!(
        first(
            "/p/y.js:4\n  }\n  ^\n\nSyntaxError: Unexpected token '}'\n    at wrapSafe (node:internal/modules/cjs/loader:1281:20)\n"
        ),
        "SyntaxError | Unexpected token '}' | /p/y.js:4 | }"
    );
    assert_eq!(
        first("Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat a.B.c(B.java:12)\n"),
        "java.lang.IllegalStateException | no | in a.B.c | B.java:12"
    );
    assert_eq!(
        first("x.rb:3:in `f': undefined local variable (NameError)"),
        "NameError | undefined local variable | in f | x.rb:3"
    );
    assert_eq!(
        first("Can't locate object method \"x\" at lib/A.pm line 12."),
        "error | Can't locate object method \"x\" | lib/A.pm:12"
    );
    assert_eq!(
        first("PHP Fatal error:  Uncaught TypeError: no in /p/x.php:3"),
        "Fatal error | Uncaught TypeError: no | /p/x.php:3"
    );
    assert_eq!(
        first("lua: x.lua:3: attempt to call a nil value"),
        "error | attempt to call a nil value | x.lua:3"
    );
}

#[test]
fn diagnostics_of_compilers_and_shells_are_known() {
    assert_eq!(
        first("x.c: In function 'f':\nx.c:3:5: error: 'y' undeclared\n"),
        "error | 'y' undeclared | x.c:3"
    );
    assert_eq!(
        first("error[E0425]: cannot find value `x`\n --> src/lib.rs:3:5\n"),
        "error | cannot find value `x` | src/lib.rs:3"
    );
    assert_eq!(first("error: expected `;`\n --> src/lib.rs:3:5\n"), "error | expected `;` | src/lib.rs:3");
    assert_eq!(first("A.java:3: error: ';' expected\n"), "error | ';' expected | A.java:3");
    assert_eq!(first("# shop\n./cart.go:7:2: undefined: price\n"), "error | undefined: price | ./cart.go:7");
    assert_eq!(
        first("/usr/bin/ld: x.o: in function `main':\nx.c:(.text+0x9): undefined reference to `f'"),
        "error | undefined reference to `f'"
    );
    assert_eq!(
        first("x.sh: 3: Syntax error: \"fi\" unexpected"),
        "error | Syntax error: \"fi\" unexpected | x.sh:3"
    );
    assert_eq!(
        first("./x.sh: line 9: frob: command not found"),
        "error | frob: command not found | ./x.sh:9"
    );
    assert_eq!(
        first("In x.sh line 3:\nrm -rf $f/*\n       ^--^ SC2115 (warning): Use \"${var:?}\" to ensure this"),
        "error | Use \"${var:?}\" to ensure this"
    );
    assert_eq!(
        first("make: *** No rule to make target 'x'.  Stop."),
        "error | No rule to make target 'x'.  Stop."
    );
}

#[test]
fn ordinary_output_has_no_errors() {
    for text in [
        "error: 3 of 4 tests failed\nwarning: unused",
        "cart_test.go:12: got 3, want 4",
        "12:30:45: started\nat: 12:30",
        "looked at x line by line.",
        "a note: 3: of no importance",
    ] {
        assert_eq!(first(text), "", "{text}");
    }
}

#[test]
fn the_essence_of_a_run_is_its_crash_and_not_a_diagnostic() {
    let essence_of = |text: &str| {
        essence(&Execution { stderr: Captured::whole(text), ..Execution::new(TestEnding::Signal(6)) })
    };
    assert_eq!(essence_of("panic: a 1"), essence_of("panic: a 234"));
    assert_ne!(essence_of("panic: a 1"), essence_of("panic: b 1"));
    assert_eq!(
        essence_of("Traceback (most recent call last):\n  File \"x.py\", line 3, in f\n    int(x)\nValueError: invalid: 'abc'")
            .as_deref(),
        Some("ValueError: invalid: '' in f")
    );
    assert_eq!(essence_of("x.c:3:5: error: 'y' undeclared"), None);
    assert_eq!(essence_of("error: 3 of 4 tests failed\nwarning: unused"), None);
}
