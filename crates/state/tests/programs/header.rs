//! The headers of the programs.

use std::path::{Path, PathBuf};

/// A program with a seeded fault.
#[derive(Clone, Debug)]
pub(crate) struct Seeded {
    /// The name of its file, without the extension.
    pub(crate) name: String,
    /// Its language.
    pub(crate) language: Language,
    /// Its source.
    pub(crate) path: PathBuf,
    /// Its arguments and input when it passes.
    pub(crate) pass: Arguments,
    /// Its arguments and input when it fails.
    pub(crate) fail: Arguments,
    /// The kind of the fault.
    pub(crate) fault: String,
    /// The last function that both runs enter with the same backtrace.
    pub(crate) place: String,
    /// A regular expression for the name of the wrong variable at that place. It matches no other variable that differs and
    /// matters.
    pub(crate) variable: String,
    /// Assignments for a debugger: made at that place in the passing run, they make it fail.
    pub(crate) transfers: Vec<String>,
    /// The line of the fault.
    pub(crate) fault_line: u32,
    /// Why no transition can be near the fault: if the fault is a missing write, nothing happens there.
    pub(crate) no_transition: Option<String>,
}

/// What a program is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// The arguments.
    pub(crate) words: Vec<String>,
    /// The standard input.
    pub(crate) input: String,
}

/// A programming language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Cpp,
    Rust,
}

/// All programs, by name.
pub(crate) fn programs() -> Vec<Seeded> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../state/tests/programs");
    let mut programs: Vec<Seeded> =
        std::fs::read_dir(folder).unwrap().filter_map(|entry| Seeded::read(&entry.unwrap().path())).collect();
    programs.sort_by(|a, b| a.path.cmp(&b.path));
    programs
}

/// The programs of a suite that takes long: a few of each language, and all of them with `./test --long`.
pub(crate) fn some_programs() -> Vec<Seeded> {
    let every = howcome_testing::repeats(3, 1);
    [Language::C, Language::Cpp, Language::Rust]
        .into_iter()
        .flat_map(|language| {
            programs().into_iter().filter(move |seeded| seeded.language == language).step_by(every)
        })
        .collect()
}

impl Seeded {
    /// Reads a header; `None` if the file is not such a program.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let language = match path.extension()?.to_str()? {
            "c" => Language::C,
            "cpp" => Language::Cpp,
            "rs" => Language::Rust,
            _ => return None,
        };
        let source = std::fs::read_to_string(path).unwrap();
        let field =
            |name: &str| fields(&source).find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
        let arguments = |run: &str| Arguments {
            words: field(run).map(|text| words(&text)).unwrap_or_default(),
            input: field(&format!("{run}-stdin")).map(|text| text.replace("\\n", "\n")).unwrap_or_default(),
        };
        let fault_line = source.lines().position(|line| line.contains("FAULT:"));
        let place = field("place")?;
        Some(Self {
            name: path.file_stem()?.to_str()?.to_string(),
            language,
            path: path.to_path_buf(),
            pass: arguments("pass"),
            fail: arguments("fail"),
            fault: field("fault").unwrap(),
            place,
            variable: field("variable").unwrap(),
            transfers: fields(&source)
                .filter(|(key, _)| *key == "transfer")
                .map(|(_, v)| v.to_string())
                .collect(),
            fault_line: fault_line.unwrap() as u32 + 1,
            no_transition: field("transition").map(|text| text.strip_prefix("none: ").unwrap().to_string()),
        })
    }

    /// The distance in lines between the fault and an interval of lines: to the nearer end, or 0 inside a short interval.
    pub(crate) fn distance(&self, between: [u32; 2]) -> u32 {
        const FEW: u32 = 10;
        let [first, last] = [between[0].min(between[1]), between[0].max(between[1])];
        let is_between = (first..=last).contains(&self.fault_line) && last - first <= FEW;
        let nearer = first.abs_diff(self.fault_line).min(last.abs_diff(self.fault_line));
        if is_between { 0 } else { nearer }
    }

    /// The lines that are neither blank nor comments.
    pub(crate) fn code(&self) -> Vec<String> {
        let source = std::fs::read_to_string(&self.path).unwrap();
        let is_code = |line: &&str| !line.is_empty() && !line.starts_with("//");
        source.lines().map(str::trim).filter(is_code).map(str::to_string).collect()
    }

    /// The number of functions that it defines.
    pub(crate) fn functions(&self) -> usize {
        self.code().iter().filter(|line| self.begins_function(line)).count()
    }

    fn begins_function(&self, line: &str) -> bool {
        if self.language == Language::Rust {
            return line.starts_with("fn ");
        }
        let statement = ["if ", "for ", "while ", "switch ", "}", "else", "do "];
        line.ends_with('{') && line.contains('(') && !statement.iter().any(|word| line.starts_with(word))
    }
}

/// `// key: value` for each line of the header.
fn fields(source: &str) -> impl Iterator<Item = (&str, &str)> {
    source.lines().map_while(|line| line.strip_prefix("// ")).filter_map(|line| line.split_once(": "))
}

/// Splits at blanks; double quotes keep words together.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in text.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(str::to_string));
        }
    }
    words
}
