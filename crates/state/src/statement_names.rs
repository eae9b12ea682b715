//! What a statement reads and writes, by the names in its source text. Nothing is resolved: two members with the same name are one.

use std::collections::HashSet;

/// A name of a variable in a statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SourceName {
    /// A local or global variable.
    Variable(String),
    /// A member of a record, whichever record.
    Member(String),
}

/// What a statement reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StatementNames {
    pub(crate) reads: HashSet<SourceName>,
    pub(crate) writes: HashSet<SourceName>,
    /// Those of the written names that have no other value afterwards: a whole variable is assigned.
    pub(crate) replaces: HashSet<SourceName>,
    /// Whether it writes through a pointer.
    pub(crate) writes_through: bool,
    /// The variables that it gives to functions, or the addresses of which it gives to them: these functions can write through pointers.
    pub(crate) passes: HashSet<SourceName>,
    /// Whether it decides what is executed next.
    pub(crate) is_branch: bool,
    /// Whether it returns from its function, or can do so: `if (failed) return 1;`.
    pub(crate) is_return: bool,
    /// Whether it goes on elsewhere in its function.
    pub(crate) is_jump: bool,
    /// Of a branch, what the statements inside of it write.
    pub(crate) inside: HashSet<SourceName>,
    /// Of a branch, whether a statement inside of it goes on elsewhere, or returns.
    pub(crate) leaves: bool,
    /// How far the first line is indented.
    pub(crate) indent: usize,
}

/// Words that are not variables, in C, C++ and Rust.
const WORDS: &[&str] = &[
    "if", "else", "while", "for", "do", "switch", "case", "default", "match", "loop", "return", "break",
    "continue", "goto", "sizeof", "let", "mut", "const", "static", "struct", "union", "enum", "int", "char",
    "long", "short", "unsigned", "signed", "float", "double", "void", "bool", "auto", "new", "delete", "in",
    "as", "ref", "self", "this", "true", "false", "NULL", "nullptr", "size_t", "std", "fn", "move",
];
const BRANCHES: &[&str] = &["if", "while", "for", "switch", "match", "loop", "do", "else"];
const JUMPS: &[&str] = &["goto", "break", "continue"];
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=",
    ">=", "&&", "||", "<<", ">>", "::", "=>", "..",
];
const ASSIGNMENTS: &[&str] = &["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];
const TAB: usize = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Operator(String),
}

impl Token {
    fn is(&self, operator: &str) -> bool {
        matches!(self, Token::Operator(text) if text == operator)
    }

    fn word(&self) -> Option<&str> {
        match self {
            Token::Word(word) => Some(word),
            Token::Operator(_) => None,
        }
    }
}

impl StatementNames {
    /// Reads a statement. `is_own` says whether a function is part of the program, so that what it writes is seen in its own statements.
    pub(crate) fn of(text: &str, is_own: &dyn Fn(&str) -> bool) -> Self {
        let first = text.lines().next().unwrap_or_default();
        let blanks = first.chars().take_while(|letter| letter.is_whitespace());
        let indent = blanks.map(|blank| if blank == '\t' { TAB } else { 1 }).sum();
        let tokens = tokens(text);
        let mut words = tokens.iter().filter_map(Token::word);
        let begins = words.next().unwrap_or_default();
        let mut names = Self {
            is_branch: BRANCHES.contains(&begins) || tokens.iter().any(|token| token.is("?")),
            is_return: tokens.iter().any(|token| token.word() == Some("return")),
            is_jump: tokens.iter().filter_map(Token::word).any(|word| JUMPS.contains(&word)),
            indent,
            ..Self::default()
        };
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Word(word) if WORDS.contains(&word.as_str()) => {}
                Token::Word(word) if is_called(&tokens, at) => names.add_call(&tokens, at, is_own(word)),
                Token::Word(_) => names.reads.extend(name_at(&tokens, at)),
                Token::Operator(operator) if ASSIGNMENTS.contains(&operator.as_str()) => {
                    names.add_assignment(&tokens, at, operator == "=");
                }
                Token::Operator(operator) if operator == "++" || operator == "--" => {
                    let target = target_before(&tokens, at).or_else(|| target_after(&tokens, at));
                    target.into_iter().for_each(|target| names.add_write(&tokens, target));
                }
                Token::Operator(_) => {}
            }
        }
        // What is only assigned is not read.
        let assigned: Vec<SourceName> = names.replaces.iter().cloned().collect();
        for name in assigned {
            let times = (0..tokens.len()).filter(|at| name_at(&tokens, *at).as_ref() == Some(&name)).count();
            if times == 1 {
                names.reads.remove(&name);
            }
        }
        names
    }

    fn add_assignment(&mut self, tokens: &[Token], at: usize, is_plain: bool) {
        // A pattern of Rust can have a type, or several names.
        let begin = tokens[..at].iter().rposition(|token| token.word() == Some("let"));
        if let Some(begin) = begin {
            let pattern =
                tokens[begin..at].iter().position(|token| token.is(":")).map_or(at, |end| begin + end);
            for target in begin + 1..pattern {
                self.add_write(tokens, target);
                self.replaces.extend(name_at(tokens, target));
            }
            return;
        }
        let Some(target) = target_before(tokens, at) else { return };
        self.add_write(tokens, target);
        let is_whole = target + 1 == at && !is_behind_pointer(tokens, target);
        if let (true, true, Some(name @ SourceName::Variable(_))) =
            (is_plain, is_whole, name_at(tokens, target))
        {
            self.replaces.insert(name);
        }
    }

    fn add_write(&mut self, tokens: &[Token], target: usize) {
        self.writes_through |=
            is_behind_pointer(tokens, target) || tokens.get(target + 1).is_some_and(|token| token.is("["));
        self.writes.extend(name_at(tokens, target));
    }

    /// A call can write what it gets the address of. What it is called on, and the first argument of a library's function, too.
    fn add_call(&mut self, tokens: &[Token], at: usize, is_own: bool) {
        if let Some(object) = at.checked_sub(2).filter(|_| tokens[at - 1].is(".") || tokens[at - 1].is("->"))
        {
            self.add_write(tokens, object);
        }
        let mut depth = 0;
        for (index, token) in tokens.iter().enumerate().skip(at + 1) {
            match token {
                Token::Operator(operator) if operator == "(" => depth += 1,
                Token::Operator(operator) if operator == ")" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            let is_argument = tokens[index - 1].is("(") || tokens[index - 1].is(",");
            if token.is("&") && is_argument {
                let target = target_after(tokens, index);
                target.into_iter().for_each(|target| self.add_write(tokens, target));
                self.passes.extend(target.and_then(|target| name_at(tokens, target)));
            }
            if token.word().is_some() && is_argument {
                self.passes
                    .extend(target_after(tokens, index - 1).and_then(|target| name_at(tokens, target)));
            }
            if !is_own && index == at + 2 && token.word().is_some() {
                target_after(tokens, index - 1).into_iter().for_each(|target| self.add_write(tokens, target));
            }
        }
    }
}

/// Whether a word is the name of a function that is called.
fn is_called(tokens: &[Token], at: usize) -> bool {
    tokens.get(at + 1).is_some_and(|token| token.is("(") || token.is("!"))
}

/// The name of the word at a position.
fn name_at(tokens: &[Token], at: usize) -> Option<SourceName> {
    let word = tokens.get(at)?.word().filter(|word| !WORDS.contains(word))?;
    if is_called(tokens, at) {
        return None;
    }
    let is_member = at.checked_sub(1).is_some_and(|before| tokens[before].is(".") || tokens[before].is("->"));
    Some(if is_member { SourceName::Member(word.to_owned()) } else { SourceName::Variable(word.to_owned()) })
}

/// Whether what is assigned at a position is not the variable itself: `*p`, `p->x`, `(*p)[i]`.
fn is_behind_pointer(tokens: &[Token], target: usize) -> bool {
    let before = target.checked_sub(1).map(|before| &tokens[before]);
    let Some(before) = before else { return false };
    let is_start = |token: &Token| ["(", ";", "{", "}", ",", "*"].iter().any(|start| token.is(start));
    let is_dereferenced =
        before.is("*") && target.checked_sub(2).is_none_or(|earlier| is_start(&tokens[earlier]));
    before.is("->") || is_dereferenced
}

/// The word that names what is assigned by the operator at a position: `c` of `a->b[i].c =`, `b` of `a->b[i] =`.
fn target_before(tokens: &[Token], operator: usize) -> Option<usize> {
    let mut at = operator.checked_sub(1)?;
    loop {
        match &tokens[at] {
            Token::Word(word) => return (!WORDS.contains(&word.as_str())).then_some(at),
            token if token.is("]") => {
                let mut depth = 0;
                loop {
                    depth += i32::from(tokens[at].is("]")) - i32::from(tokens[at].is("["));
                    at = at.checked_sub(1)?;
                    if depth == 0 {
                        break;
                    }
                }
            }
            token if token.is(")") || token.is("++") || token.is("--") => at = at.checked_sub(1)?,
            _ => return None,
        }
    }
}

/// The last word of the name after the operator at a position: `c` of `++a->b.c`.
fn target_after(tokens: &[Token], operator: usize) -> Option<usize> {
    let mut at = operator + 1;
    tokens.get(at)?.word()?;
    while tokens.get(at + 1).is_some_and(|token| token.is(".") || token.is("->"))
        && tokens.get(at + 2).is_some_and(|token| token.word().is_some())
    {
        at += 2;
    }
    Some(at)
}

/// Words and operators, without comments, texts and numbers.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let end = |pattern: &str| rest.find(pattern).map_or(rest.len(), |at| at + pattern.len());
        let length = if rest.starts_with("//") {
            end("\n")
        } else if rest.starts_with("/*") {
            end("*/")
        } else if letter == '"' || letter == '\'' {
            quoted(rest, letter)
        } else if letter.is_alphabetic() || letter == '_' {
            let word =
                rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..word].to_owned()));
            word
        } else if letter.is_ascii_digit() {
            rest.find(|letter: char| !letter.is_alphanumeric() && letter != '.').unwrap_or(rest.len())
        } else if letter.is_whitespace() {
            letter.len_utf8()
        } else {
            let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
            let length = operator.map_or(letter.len_utf8(), |operator| operator.len());
            tokens.push(Token::Operator(rest[..length].to_owned()));
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of a text or a character, or of the sign before a lifetime of Rust.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '\\' if !is_escaped => is_escaped = true,
            letter if letter == quote && !is_escaped => return at + 1,
            '\n' => break,
            _ => is_escaped = false,
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> StatementNames {
        StatementNames::of(text, &|name| name == "own")
    }

    fn sorted(names: &HashSet<SourceName>) -> Vec<String> {
        let text = |name: &SourceName| match name {
            SourceName::Variable(name) => name.clone(),
            SourceName::Member(name) => format!(".{name}"),
        };
        let mut names: Vec<String> = names.iter().map(text).collect();
        names.sort();
        names
    }

    #[test]
    fn an_assignment_writes_its_left_side_and_reads_the_rest() {
        for (text, writes, reads) in [
            ("    int rate = members > 3 ? 10 : limit;", &["rate"][..], &["limit", "members"][..]),
            ("jobs[at] = job;", &["jobs"], &["at", "job", "jobs"]),
            ("a->b[i].c += x; // = y", &[".c"], &[".b", ".c", "a", "i", "x"]),
            ("for (int i = 0; i <= n; i++)", &["i"], &["i", "n"]),
            (
                "let mut total: i64 = list.iter().map(|x| x.size).sum();",
                &["list", "total"],
                &[".size", "i64", "list", "x"],
            ),
            ("strcpy(name, \"a = b\");", &["name"], &["name"]),
            ("own(name, &found, '=');", &["found"], &["found", "name"]),
            ("if (a == b && c->d <= e)", &[], &[".d", "a", "b", "c", "e"]),
            ("*out = total;", &["out"], &["out", "total"]),
        ] {
            let names = read(text);
            assert_eq!(sorted(&names.writes), writes, "writes of {text}");
            assert_eq!(sorted(&names.reads), reads, "reads of {text}");
        }
    }

    #[test]
    fn branches_returns_and_pointers_are_known() {
        assert!(
            read("  } else if (x) {").is_branch
                && read("\twhile (x)").is_branch
                && !read("iffy = 1;").is_branch
        );
        assert!(read("return a + b;").is_return && read("if (x) { y(); return 1; }").is_return);
        assert!(read("if (x) goto end;").is_jump);
        assert_eq!(read("\t  x = 1;").indent, 10);
        assert!(
            read("*p = 1;").writes_through
                && read("p->x = 1;").writes_through
                && !read("x = 1;").writes_through
        );
        assert_eq!(sorted(&read("f(&x, b->y, 3 + z);").passes), [".y", "x"]);
        assert_eq!(sorted(&read("x = y;").replaces), ["x"]);
        assert_eq!(sorted(&read("x[0] = y;").replaces), [""; 0]);
    }

    #[test]
    fn odd_texts_are_read() {
        for text in
            ["", "'", "\"", "/*", "]=", ")++", "= [", "&&&", "é = ü;", "fn f<'a>(x: &'a str) {", "x\\"]
        {
            let _ = read(text);
        }
    }
}
