//! Commands that are given as one text, such as `--build CMD`.

use howcome_run::Problem;

/// Splits a command into words like a shell. A command that only a shell understands (`a && b`, `NAME=value a`) becomes the three
/// words `sh`, `-c` and the command.
///
/// # Errors
/// If it is empty, or a quote is not closed.
pub fn split_words(command: &str, flag: &str) -> Result<Vec<String>, Problem> {
    match shlex::split(command) {
        None => Err(Problem::new(format!("a quote in `{command}` is not closed"))
            .hint(format!("check the quotes in {flag}"))),
        Some(words) if words.is_empty() => Err(Problem::new(format!("{flag} is empty"))),
        Some(_) if needs_shell(command) => Ok(["sh", "-c", command.trim()].map(str::to_owned).to_vec()),
        Some(words) => Ok(words),
    }
}

/// Whether a command has operators of a shell, or begins with a variable: without a shell, it could not be run. Words with `*` and
/// `$NAME` can be run, and mean themselves.
pub(super) fn needs_shell(command: &str) -> bool {
    has_operator(command) || begins_with_variable(command)
}

/// Whether there is an operator outside of quotes.
fn has_operator(command: &str) -> bool {
    let mut quote = None;
    let mut letters = command.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => {
                letters.next();
            }
            (_, '`') => return true,
            (_, '$') if letters.peek() == Some(&'(') => return true,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '&' | '|' | ';' | '<' | '>' | '\n') => return true,
            _ => {}
        }
    }
    false
}

fn begins_with_variable(command: &str) -> bool {
    let name = command.trim_start().split_once('=').map_or("", |(name, _)| name);
    let is_name = |name: &str| name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    !name.is_empty() && is_name(name) && !name.starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_without_operators_is_split_into_words() {
        for (command, words) in [
            ("make -s", &["make", "-s"][..]),
            ("cc 'a b.c' -DX=\"1;2\"", &["cc", "a b.c", "-DX=1;2"]),
            (r"printf a\;b", &["printf", "a;b"]),
            ("echo '$(date)' $HOME *.c", &["echo", "$(date)", "$HOME", "*.c"]),
            ("cmake -DA=1", &["cmake", "-DA=1"]),
            ("sh -c 'make && ./check'", &["sh", "-c", "make && ./check"]),
            ("make\n", &["make"]),
        ] {
            assert_eq!(split_words(command, "--build").unwrap(), words, "{command}");
        }
    }

    #[test]
    fn a_command_with_operators_is_run_by_a_shell() {
        for command in [
            "cmake -B build && cmake --build build",
            "./configure;make",
            "make||true",
            "make >/dev/null",
            "make 2>&1 | tail",
            "cc $(pkg-config --cflags x) a.c",
            "cc \"`cat flags`\" a.c",
            "cc \"$(cat flags)\" a.c",
            "CFLAGS=-O2 make",
            "set -e\nmake",
        ] {
            assert_eq!(split_words(command, "--build").unwrap(), ["sh", "-c", command]);
        }
    }

    #[test]
    fn an_empty_command_and_an_open_quote_are_refused() {
        let empty = split_words(" ", "--build").unwrap_err().to_string();
        assert!(empty.contains("--build is empty"), "{empty}");
        let open = split_words("sh -c 'make && x", "--build").unwrap_err().to_string();
        assert!(open.contains("is not closed") && open.contains("check the quotes in --build"), "{open}");
    }
}
