//! The flags of `howcome serve` as a file: `listen = "127.0.0.1:8410"` for `--listen 127.0.0.1:8410`.

use clap::ArgMatches;
use clap::parser::ValueSource;
use howcome_run::{Problem, plain_error};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// The command line once more, with those flags of a file that are given neither on it nor in the environment.
pub(super) fn with_file(path: &Path, matches: &ArgMatches) -> Result<ArgMatches, Problem> {
    let text = fs::read_to_string(path)
        .map_err(|error| Problem::new(format!("cannot read {}: {}", path.display(), plain_error(&error))))?;
    let is_given = |flag: &str| {
        let id = flag.replace('-', "_");
        let source = matches.try_contains_id(&id).ok().and_then(|_| matches.value_source(&id));
        matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
    };
    let wrong = |why: &str| {
        Problem::new(format!("{}: {why}", path.display())).hint("`howcome serve --help` lists the flags")
    };
    let words = words_of(&text, is_given).map_err(|why| wrong(&why))?;
    let mut all: Vec<OsString> = std::env::args_os().collect();
    let serve =
        all.iter().position(|word| word == "serve").ok_or_else(|| Problem::bug("there is no command"))?;
    all.splice(serve + 1..serve + 1, words.into_iter().map(Into::into));
    let matches = crate::command_line().try_get_matches_from(all);
    matches.map_err(|error| wrong(error.to_string().lines().next().unwrap_or_default()))
}

/// Each `name = value` as words of a command line.
fn words_of(text: &str, is_given: impl Fn(&str) -> bool) -> Result<Vec<String>, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let mut words = Vec::new();
    for (name, value) in table {
        let flag = name.replace('_', "-");
        if flag == "config" {
            return Err("a file cannot name another file".to_owned());
        }
        if is_given(&flag) {
            continue;
        }
        let values = match value {
            toml::Value::Array(values) => values,
            value => vec![value],
        };
        for value in values {
            match value {
                toml::Value::Boolean(true) => words.push(format!("--{flag}")),
                toml::Value::Boolean(false) => {}
                toml::Value::String(text) => words.push(format!("--{flag}={text}")),
                toml::Value::Integer(number) => words.push(format!("--{flag}={number}")),
                _ => {
                    return Err(format!(
                        "`{name}` must be a text, a number, true or false, or a list of texts"
                    ));
                }
            }
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gives_the_flags_that_nobody_else_gives() {
        let text = "listen = '0.0.0.0:80'\nslots = 4\nopen = true\ntrust_proxy = false\nhost = ['a', 'b']\n";
        let words = words_of(text, |flag| flag == "slots").unwrap();
        assert_eq!(words, ["--host=a", "--host=b", "--listen=0.0.0.0:80", "--open"]);
        assert!(words_of("limits = {a = 1}", |_| false).is_err());
        assert!(words_of("config = 'x'", |_| false).is_err());
        assert!(words_of("listen", |_| false).is_err());
    }
}
