//! Which names a line seems to define.

use super::scan::{CodeLine, CodeToken, TokenKind};
use howcome_syntax::TextKind;

/// A name that a line seems to define.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DefinedName<'a> {
    pub(crate) name: &'a [u8],
    /// It can be used from anywhere: a function, a type, a macro. Other names can be variables of a function.
    pub(crate) global: bool,
    /// The word before it that seems to be its type, and how many stars are between them.
    pub(crate) of: (&'a [u8], usize),
}

/// Words after which a name is defined, in any language that has them.
const BEFORE_NAMES: &[&str] = &[
    "def",
    "class",
    "struct",
    "union",
    "enum",
    "trait",
    "interface",
    "fn",
    "func",
    "function",
    "type",
    "mod",
    "macro_rules",
    "let",
    "const",
    "var",
    "static",
    "mut",
    "namespace",
    "typedef",
];

const UNTYPED: (&[u8], usize) = (b"", 0);

/// Words that do not begin a declaration.
const NO_TYPES: &[&str] = &[
    "return", "goto", "else", "case", "sizeof", "delete", "new", "throw", "in", "is", "and", "or", "not",
    "if", "while", "for", "switch", "do", "import", "from", "await", "yield", "defined", "include", "ifdef",
    "ifndef", "elif", "undef", "pragma", "error",
];

/// Words that can come before a name without being a type.
const NO_NAMES: &[&str] = &["int", "char", "const", "void", "long", "unsigned", "self", "mut", "ref"];

pub(crate) fn definitions<'a>(line: &CodeLine<'a>, language: TextKind) -> Vec<DefinedName<'a>> {
    let tokens = &line.tokens;
    let mut found = match language {
        TextKind::Prose | TextKind::Build => Vec::new(),
        _ if line.directive => macros(tokens),
        TextKind::CLike | TextKind::Java => declarations(line),
        TextKind::Python | TextKind::Script => assigned(line),
        TextKind::Rust | TextKind::Go | TextKind::JavaScript => typed(line),
    };
    if language != TextKind::CLike {
        found.extend(after_keywords(line));
    }
    found.retain(|definition| !holds(NO_NAMES, definition.name));
    found.sort_unstable();
    found.dedup_by_key(|definition| definition.name);
    found
}

fn holds(words: &[&str], word: &[u8]) -> bool {
    words.iter().any(|known| known.as_bytes() == word)
}

fn word<'a>(token: Option<&CodeToken<'a>>) -> Option<&'a [u8]> {
    match token?.what {
        TokenKind::Word(word) => Some(word),
        _ => None,
    }
}

fn mark(token: Option<&CodeToken<'_>>) -> Option<u8> {
    match token?.what {
        TokenKind::Mark(mark) => Some(mark),
        _ => None,
    }
}

/// `#define NAME`
fn macros<'a>(tokens: &[CodeToken<'a>]) -> Vec<DefinedName<'a>> {
    let is_define = word(tokens.get(1)) == Some(b"define");
    let name = word(tokens.get(2)).filter(|_| is_define);
    name.map(|name| DefinedName { name, global: true, of: UNTYPED }).into_iter().collect()
}

/// `type name;`, `type *name = …`, `type name (…)`, `(name) (…)`, `struct name {`, `} name;`, `NAME,` or `NAME = 1,`.
fn declarations<'a>(line: &CodeLine<'a>) -> Vec<DefinedName<'a>> {
    let tokens = &line.tokens;
    let begins_badly = word(tokens.first()).is_some_and(|first| holds(NO_TYPES, first));
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let Some(name) = word(tokens.get(at)).filter(|name| !holds(NO_TYPES, name)) else { continue };
        let next = mark(tokens.get(at + 1));
        // Lua and others write `int (name) (args)`, so that no macro of that name is expanded.
        let of = UNTYPED;
        let in_parentheses = at > 0 && mark(tokens.get(at - 1)) == Some(b'(') && next == Some(b')');
        if in_parentheses && line.at_margin && at > 1 && mark(tokens.get(at + 2)) == Some(b'(') {
            found.push(DefinedName { name, global: true, of });
            continue;
        }
        let pointer_to_function =
            at > 1 && mark(tokens.get(at - 1)) == Some(b'*') && mark(tokens.get(at - 2)) == Some(b'(');
        if pointer_to_function && next == Some(b')') && mark(tokens.get(at + 2)) == Some(b'(') {
            found.push(DefinedName { name, global: true, of });
            continue;
        }
        let of = (follows_type(tokens, at).unwrap_or_default(), stars_before(tokens, at));
        match (follows_type(tokens, at), next) {
            (Some(keyword), Some(b'{') | None) if is_tag(keyword) => {
                // A structure that becomes a type of its own, or stops being one.
                let of = (word(tokens.first()).unwrap_or_default(), 0);
                found.push(DefinedName { name, global: true, of });
            }
            (Some(_), Some(b'(')) if !begins_badly => {
                found.push(DefinedName { name, global: line.at_margin, of });
            }
            (Some(_), Some(b';' | b'=' | b',' | b')' | b'[' | b':')) if !begins_badly => {
                let global = word(tokens.first()) == Some(b"typedef") || line.at_margin && next != Some(b')');
                found.push(DefinedName { name, global: global && next != Some(b','), of });
            }
            // The end of `typedef struct { … } name;`.
            (None, Some(b';' | b',')) if at == 1 && mark(tokens.first()) == Some(b'}') => {
                found.push(DefinedName { name, global: true, of });
            }
            // GNU style: the type is on a line of its own.
            (None, Some(b'(')) if at == 0 && line.at_margin && ends_like_head(tokens) => {
                found.push(DefinedName { name, global: true, of });
            }
            // `int a, b;`
            (None, Some(b';' | b',' | b'=' | b'[')) if !found.is_empty() && comma_before(tokens, at) => {
                found.push(DefinedName { name, global: false, of });
            }
            // At the margin, a single word is the use of a macro.
            (None, None) if line.at_margin && tokens.len() == 1 => {}
            (None, Some(b',' | b'=') | None) if name[0].is_ascii_uppercase() && is_member(tokens, at) => {
                found.push(DefinedName { name, global: true, of });
            }
            _ => {}
        }
    }
    found
}

fn is_tag(word: &[u8]) -> bool {
    holds(&["struct", "union", "enum", "class", "namespace", "interface"], word)
}

/// The word before a name that seems to be its type.
fn follows_type<'a>(tokens: &[CodeToken<'a>], at: usize) -> Option<&'a [u8]> {
    let mut before = at.checked_sub(1)?;
    let stars = mark(tokens.get(before)).is_some_and(|mark| matches!(mark, b'*' | b'&'));
    while before > 0 && mark(tokens.get(before)).is_some_and(|mark| matches!(mark, b'*' | b'&' | b'>')) {
        before -= 1;
    }
    let kind = word(tokens.get(before)).filter(|kind| !holds(NO_TYPES, kind))?;
    // `a * b` and `a*b` multiply; `a *b` and `a* b` declare.
    let (outer, inner) = (tokens[before + 1].spaced, tokens[at].spaced);
    let multiplies = stars && outer == inner;
    let starts = before == 0
        || word(tokens.get(before - 1)).is_some()
        || mark(tokens.get(before - 1))
            .is_some_and(|mark| matches!(mark, b'(' | b',' | b'{' | b'}' | b';' | b'<'));
    (starts && (!multiplies || before == 0 && inner)).then_some(kind)
}

fn stars_before(tokens: &[CodeToken<'_>], at: usize) -> usize {
    tokens[..at].iter().rev().take_while(|token| token.what == TokenKind::Mark(b'*')).count()
}

fn ends_like_head(tokens: &[CodeToken<'_>]) -> bool {
    matches!(mark(tokens.last()), Some(b')' | b',' | b'{'))
}

fn comma_before(tokens: &[CodeToken<'_>], at: usize) -> bool {
    let before = tokens[..at].iter().rev().find_map(|token| match token.what {
        TokenKind::Mark(b'*') => None,
        what => Some(what),
    });
    before == Some(TokenKind::Mark(b','))
}

/// A line of only words, commas and values, as between the braces of an enumeration.
fn is_member(tokens: &[CodeToken<'_>], at: usize) -> bool {
    let before = at == 0 || matches!(mark(tokens.get(at - 1)), Some(b',' | b'{'));
    let plain = |token: &CodeToken<'_>| {
        !matches!(token.what, TokenKind::Mark(b'(' | b')' | b';' | b'.' | b'?' | b'}'))
    };
    before && tokens.iter().all(plain)
}

/// Python and shell: `name = …`, `self.name = …`, `import name`, `name() {`.
fn assigned<'a>(line: &CodeLine<'a>) -> Vec<DefinedName<'a>> {
    let tokens = &line.tokens;
    let mut found = Vec::new();
    if matches!(word(tokens.first()), Some(b"import" | b"from")) {
        return found;
    }
    for at in 0..tokens.len() {
        let Some(name) = word(tokens.get(at)) else { continue };
        let assigns = mark(tokens.get(at + 1)) == Some(b'=') && mark(tokens.get(at + 2)) != Some(b'=');
        let of_self = at == 2 && word(tokens.first()) == Some(b"self");
        if assigns && (at == 0 || of_self) {
            found.push(DefinedName { name, global: of_self || line.at_margin, of: UNTYPED });
        }
        let opens =
            [b'(', b')'].iter().zip(&tokens[at + 1..]).all(|(m, token)| mark(Some(token)) == Some(*m));
        if at == 0 && line.at_margin && opens && tokens.len() > 3 {
            found.push(DefinedName { name, global: true, of: UNTYPED });
        }
    }
    found
}

/// Rust, Go, JavaScript: `name: type`, `name := …`, `name type` in a structure, members of enumerations.
fn typed<'a>(line: &CodeLine<'a>) -> Vec<DefinedName<'a>> {
    let tokens = &line.tokens;
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let Some(name) = word(tokens.get(at)) else { continue };
        let colon = mark(tokens.get(at + 1)) == Some(b':') && mark(tokens.get(at + 2)) != Some(b':');
        let alone = at == 0 && tokens.len() <= 2 && matches!(mark(tokens.get(1)), Some(b','));
        if colon || (alone && name[0].is_ascii_uppercase()) {
            found.push(DefinedName { name, global: false, of: UNTYPED });
        }
    }
    found
}

fn after_keywords<'a>(line: &CodeLine<'a>) -> Vec<DefinedName<'a>> {
    let pairs = line.tokens.windows(2);
    let named = pairs.filter_map(|pair| {
        let keyword = word(pair.first()).filter(|word| holds(BEFORE_NAMES, word))?;
        let name = word(pair.get(1)).filter(|name| !holds(BEFORE_NAMES, name))?;
        let local = matches!(keyword, b"let" | b"var" | b"mut" | b"const") && !line.at_margin;
        Some(DefinedName { name, global: !local, of: UNTYPED })
    });
    // `macro_rules! name` and `func (receiver) name(` have something in between.
    let tokens = &line.tokens;
    let macro_rules = (word(tokens.first()) == Some(b"macro_rules")).then(|| word(tokens.get(2))).flatten();
    let method = (word(tokens.first()) == Some(b"func") && mark(tokens.get(1)) == Some(b'('))
        .then(|| tokens.iter().position(|token| token.what == TokenKind::Mark(b')')))
        .flatten()
        .and_then(|close| word(tokens.get(close + 1)));
    let apart =
        macro_rules.into_iter().chain(method).map(|name| DefinedName { name, global: true, of: UNTYPED });
    named.chain(apart).collect()
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::*;

    fn defined(text: &str, path: &str) -> Vec<String> {
        let language = TextKind::of_path(path.as_bytes());
        let lines = scan(text.as_bytes(), language);
        let all = lines.iter().flat_map(|line| definitions(line, language));
        all.map(|definition| String::from_utf8_lossy(definition.name).into_owned()).collect()
    }

    #[test]
    fn c_definitions_are_told_from_uses() {
        for (text, names) in [
            ("#define LIMIT(a) (a)\n", vec!["LIMIT"]),
            ("static int count (State *state, int size) {\n", vec!["count", "size", "state"]),
            ("LUA_API int (lua_gc) (lua_State *L);\n", vec!["L", "lua_gc"]),
            ("typedef struct Node {\n", vec!["Node"]),
            ("} Table;\n", vec!["Table"]),
            ("typedef unsigned char byte;\n", vec!["byte"]),
            ("typedef int (*Reader) (void *ud);\n", vec!["Reader", "ud"]),
            ("  const char *name = 0;\n", vec!["name"]),
            ("  int first, second = 2;\n", vec!["first", "second"]),
            ("  OP_MOVE,\n", vec!["OP_MOVE"]),
            ("  VNIL = 3,\n", vec!["VNIL"]),
            ("  total = first * second;\n", vec![]),
            ("  return call(first, second);\n", vec![]),
            ("  call(first);\n", vec![]),
            ("#if defined(LIMIT)\n", vec![]),
        ] {
            assert_eq!(defined(text, "x.c"), names, "{text}");
        }
    }

    #[test]
    fn other_languages_define_by_keywords() {
        assert_eq!(defined("def area(x):\n", "x.py"), ["area"]);
        assert_eq!(defined("self.width = 1\n", "x.py"), ["width"]);
        assert_eq!(defined("pub(crate) fn area() {\n", "x.rs"), ["area"]);
        assert_eq!(defined("func (s *Shape) Area() int {\n", "x.go"), ["Area"]);
        assert_eq!(defined("const area = 1\n", "x.js"), ["area"]);
        assert_eq!(defined("    private static int area(int size) {\n", "x.java"), ["area", "size"]);
    }
}
