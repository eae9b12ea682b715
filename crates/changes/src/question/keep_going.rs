//! Tells builds to keep going: a mix that does not build then shows all of its problems, not only those of the first file.
//!
//! `make` is told so by a variable, also if another program starts it. `ninja` and `cargo` know no such variable, so functions of the
//! shell that runs the build take their place.

use std::ffi::{OsStr, OsString};

/// The variables for a build, if the environment has these flags for `make` already.
pub(super) fn make_keeps_going(flags: Option<&OsStr>) -> Vec<(OsString, OsString)> {
    let flags = flags.unwrap_or_default();
    let first = flags.to_string_lossy();
    let first = first.split_ascii_whitespace().next().unwrap_or_default();
    let mut all = OsString::from("k");
    // Only the first word may be letters without a dash.
    if first.starts_with('-') || first.contains('=') {
        all.push(" ");
    }
    all.push(flags);
    vec![("MAKEFLAGS".into(), all)]
}

/// For each program, a function of a shell that takes its place. Of two flags `-k`, the last one counts, and that is the user's.
const FUNCTIONS: [(&str, &str); 3] = [
    ("ninja", r#"ninja() { command ninja -k 0 "$@"; }"#),
    (
        "cmake",
        concat!(
            r#"cmake() { case " $* " in *" -- "*) ;; " --build "*) if grep -qs ^CMAKE_GENERATOR:INTERNAL=Ninja "$2/CMakeCache.txt"; "#,
            r#"then set -- "$@" -- -k 0; fi ;; esac; command cmake "$@"; }"#
        ),
    ),
    // It knows the flag since version 1.74.
    (
        "cargo",
        concat!(
            r#"cargo() { if test "$1" = build && command cargo build -h 2>/dev/null | grep -q -e --keep-going; "#,
            r#"then shift; set -- build --keep-going "$@"; fi; command cargo "$@"; }"#
        ),
    ),
];

/// A build that goes on after an error, if that is known of its programs.
pub(super) fn keep_going(build: &[String]) -> Vec<String> {
    let (text, arguments) = match build {
        [shell, flag, text] if shell == "sh" && flag == "-c" => (text.as_str(), &[][..]),
        [shell, flag, ..] if shell == "sh" && flag == "-c" => return build.to_vec(),
        [program, ..] => (r#""$@""#, if is_known(program) { build } else { return build.to_vec() }),
        [] => return Vec::new(),
    };
    let is_named =
        |name: &str| arguments.first().map_or_else(|| has_word(text, name), |program| program == name);
    let functions: Vec<&str> =
        FUNCTIONS.iter().filter(|(name, _)| is_named(name)).map(|(_, function)| *function).collect();
    if functions.is_empty() {
        return build.to_vec();
    }
    // All in one line, so that the shell counts the user's lines from 1.
    let script = format!("{}; {text}", functions.join("; "));
    let mut words = ["sh", "-c"].map(str::to_owned).to_vec();
    words.push(script);
    if !arguments.is_empty() {
        words.push("sh".to_owned());
        words.extend_from_slice(arguments);
    }
    words
}

fn is_known(program: &str) -> bool {
    FUNCTIONS.iter().any(|(name, _)| *name == program)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| letter.is_ascii_whitespace() || "&|;()".contains(letter))
        .any(|found| found == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::process::Command;

    /// What the programs are told by a build. They are scripts that print their arguments.
    fn told(build: &[&str], prepare: impl Fn(&Path)) -> String {
        let folder = tempfile::tempdir().unwrap();
        for name in ["ninja", "cmake", "cargo"] {
            let program = folder.path().join(name);
            fs::write(&program, "#!/bin/sh\necho \"${0##*/} $*\"\n").unwrap();
            fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        prepare(folder.path());
        let build: Vec<String> = build.iter().map(|word| (*word).to_owned()).collect();
        let words = keep_going(&build);
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        let command =
            Command::new(&words[0]).args(&words[1..]).env("PATH", path).current_dir(folder.path()).output();
        String::from_utf8(command.unwrap().stdout).unwrap()
    }

    fn nothing(_: &Path) {}

    #[test]
    fn ninja_keeps_going() {
        assert_eq!(told(&["ninja", "-C", "a b"], nothing), "ninja -k 0 -C a b\n");
        assert_eq!(told(&["sh", "-c", "cd . && ninja all"], nothing), "ninja -k 0 all\n");
        assert_eq!(told(&["sh", "-c", "exit 3"], nothing), "");
    }

    #[test]
    fn cmake_tells_ninja_and_nobody_else() {
        let with = |generator: &'static str| {
            move |folder: &Path| {
                fs::create_dir(folder.join("out")).unwrap();
                let cache = format!("A:BOOL=ON\nCMAKE_GENERATOR:INTERNAL={generator}\n");
                fs::write(folder.join("out/CMakeCache.txt"), cache).unwrap();
            }
        };
        assert_eq!(told(&["cmake", "--build", "out"], with("Ninja")), "cmake --build out -- -k 0\n");
        assert_eq!(told(&["cmake", "--build", "out"], with("Unix Makefiles")), "cmake --build out\n");
        assert_eq!(
            told(&["cmake", "--build", "out", "--", "-v"], with("Ninja")),
            "cmake --build out -- -v\n"
        );
        assert_eq!(
            told(&["sh", "-c", "cmake -S . -B out && cmake --build out"], with("Ninja")),
            "cmake -S . -B out\ncmake --build out -- -k 0\n"
        );
    }

    #[test]
    fn cargo_keeps_going_if_it_knows_how() {
        assert_eq!(told(&["cargo", "build", "--release"], nothing), "cargo build --release\n");
        assert_eq!(told(&["cargo", "test"], nothing), "cargo test\n");
        let newer = |folder: &Path| {
            let text =
                "#!/bin/sh\ntest \"$2\" = -h && echo '      --keep-going  Do not abort'\necho \"cargo $*\"\n";
            fs::write(folder.join("cargo"), text).unwrap();
        };
        assert_eq!(told(&["cargo", "build", "--release"], newer), "cargo build --keep-going --release\n");
    }

    #[test]
    fn other_builds_stay_as_they_are() {
        for build in
            [&["make", "-s"][..], &["sh", "-c", "make ninja.o"], &["./ninja"], &["sh", "-c", "x", "ninja"]]
        {
            let build: Vec<String> = build.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(keep_going(&build), build);
        }
    }

    #[test]
    fn what_the_environment_asks_of_make_stays() {
        let flags = |flags: &str| make_keeps_going(Some(OsStr::new(flags)))[0].1.clone();
        assert_eq!(make_keeps_going(None)[0].1, "k");
        assert_eq!(flags("sj2"), "ksj2");
        assert_eq!(flags("-j8 -s"), "k -j8 -s");
        assert_eq!(flags("CC=clang"), "k CC=clang");
    }
}
