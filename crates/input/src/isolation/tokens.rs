//! A text as tokens: the leaves of its syntax tree, or words and signs, or single bytes if it is not text.

use crate::DocumentPart;
use howcome_syntax::{NodeId, SyntaxTree};
use std::ops::Range;

/// A token with the blanks around it: together, the tokens are the whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextToken {
    /// All of its bytes. A line break belongs to the token before it, the blanks after the line break to the next token.
    pub(super) bytes: Range<usize>,
    /// Its bytes without the blanks.
    pub(super) text: Range<usize>,
    /// Its node, if there is a tree.
    pub(super) node: Option<NodeId>,
}

/// Which tokens a text is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tokenization {
    Tree,
    Words,
    Bytes,
}

/// Which tokens both sides can be cut into.
pub(super) fn kind(parts: [Option<&DocumentPart>; 2]) -> Tokenization {
    let parts = || parts.into_iter().flatten().filter(|part| !part.bytes().is_empty());
    if parts().any(|part| part.bytes().contains(&0) || std::str::from_utf8(part.bytes()).is_err()) {
        Tokenization::Bytes
    } else if parts().all(|part| part.tree().is_some()) {
        Tokenization::Tree
    } else {
        Tokenization::Words
    }
}

/// All tokens of a text.
pub(super) fn tokens(part: &DocumentPart, kind: Tokenization) -> Vec<TextToken> {
    let bytes = part.bytes();
    let texts: Vec<(Range<usize>, Option<NodeId>)> = match (kind, part.tree()) {
        (Tokenization::Bytes, _) => (0..bytes.len()).map(|at| (at..at + 1, None)).collect(),
        (Tokenization::Tree, Some(tree)) => leaves(bytes, tree),
        _ => words(bytes, 0..bytes.len()).map(|word| (word, None)).collect(),
    };
    let mut tokens: Vec<TextToken> = Vec::with_capacity(texts.len() + 1);
    for (text, node) in texts {
        let before = tokens.last().map_or(0, |token| token.text.end);
        let gap = &bytes[before..text.start];
        let cut = match gap.iter().position(|byte| *byte == b'\n') {
            Some(line_break) if !tokens.is_empty() => before + line_break + 1,
            _ => before,
        };
        if let Some(token) = tokens.last_mut() {
            token.bytes.end = cut;
        }
        tokens.push(TextToken { bytes: cut..text.end, text, node });
    }
    match tokens.last_mut() {
        Some(token) => token.bytes.end = bytes.len(),
        None if bytes.is_empty() => {}
        None => tokens.push(TextToken { bytes: 0..bytes.len(), text: 0..0, node: None }),
    }
    tokens
}

/// The leaves of a tree, and the words between them: some grammars have no leaves for plain text.
fn leaves(bytes: &[u8], tree: &SyntaxTree) -> Vec<(Range<usize>, Option<NodeId>)> {
    let mut leaves = Vec::new();
    let mut done = 0;
    for (id, node) in tree.iter() {
        let range = node.range.clone();
        if !tree.is_leaf(id) || range.is_empty() || range.start < done {
            continue;
        }
        let around = around(tree, id, done);
        leaves.extend(words(bytes, done..range.start).map(|word| (word, Some(around))));
        leaves.push((range.clone(), Some(id)));
        done = range.end;
    }
    leaves.extend(words(bytes, done..bytes.len()).map(|word| (word, Some(NodeId(0)))));
    leaves
}

/// The innermost node that starts before a place and contains the node after it. If that is far up, a node on the way.
fn around(tree: &SyntaxTree, id: NodeId, place: usize) -> NodeId {
    let mut around = id;
    for _ in 0..32 {
        match tree.node(around).parent {
            Some(parent) if tree.node(around).range.start > place => around = parent,
            _ => break,
        }
    }
    around
}

/// Runs of letters and digits, and single signs.
fn words(bytes: &[u8], range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = range.start;
    std::iter::from_fn(move || {
        at += bytes[at..range.end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let length = bytes[at..range.end].iter().take_while(|byte| is_in_word(byte)).count();
        let word = at..(at + length.max(1)).min(range.end);
        at = word.end;
        (!word.is_empty()).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str, text: &str) -> Vec<String> {
        let part = DocumentPart::of(name.as_ref(), text.into());
        let tokens = tokens(&part, kind([Some(&part), None]));
        tokens.into_iter().map(|token| text[token.bytes].to_owned()).collect()
    }

    #[test]
    fn the_tokens_are_the_whole_text() {
        assert_eq!(
            shown("f", "\n  set x1 = -2;\n\n  end\n"),
            ["\n  set", " x1", " =", " -", "2", ";\n", "\n  end\n"]
        );
        assert_eq!(shown("f.c", "int  x\n= 1;\n\n"), ["int", "  x\n", "=", " 1", ";\n\n"]);
        assert_eq!(shown("f", " \n"), [" \n"]);
        assert_eq!(shown("f.json", "[\"a b\"]").concat(), "[\"a b\"]");
    }
}
