//! The code of a node without its comments and white space.

use super::items::ParsedText;
use howcome_syntax::NodeId;

impl ParsedText<'_> {
    /// The tokens of a node without comments, line by line.
    pub(super) fn code(&self, id: NodeId) -> Vec<Vec<u8>> {
        self.code_until(id, None)
    }

    /// The same up to a node in it.
    pub(super) fn code_until(&self, id: NodeId, end: Option<NodeId>) -> Vec<Vec<u8>> {
        let end = end.unwrap_or(self.tree.node(id).after);
        let mut lines: Vec<Vec<u8>> = Vec::new();
        let mut line = None;
        let mut next = id;
        while next < end {
            let node = self.tree.node(next);
            if is_comment(node.kind) {
                next = node.after;
                continue;
            }
            if self.tree.is_leaf(next) {
                let here = self.lines(next).start;
                if line.replace(here) != Some(here) {
                    lines.push(Vec::new());
                }
                if let Some(last) = lines.last_mut() {
                    last.extend_from_slice(&self.bytes[node.range.clone()]);
                    last.push(b' ');
                }
            }
            next = NodeId(next.0 + 1);
        }
        lines.retain(|line| !line.trim_ascii().is_empty());
        lines
    }
}

/// Whether a node of this kind is a comment.
pub(super) fn is_comment(kind: &str) -> bool {
    kind.ends_with("comment")
}

/// How many more braces a code opens than it closes.
pub(super) fn open_braces(code: &[Vec<u8>]) -> i64 {
    let tokens = || code.iter().flat_map(|line| line.split(|byte| *byte == b' '));
    let count = |brace: &[u8]| tokens().filter(|token| *token == brace).count() as i64;
    count(b"{") - count(b"}")
}
