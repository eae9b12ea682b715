//! Which braces and conditions of the preprocessor are open after a line of C.

/// What is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OpenBlocks {
    braces: u32,
    conditions: u32,
    in_comment: bool,
    /// The line goes on with the definition of a macro.
    in_macro: bool,
}

impl OpenBlocks {
    /// Whether anything is open.
    pub(super) fn is_any(&self) -> bool {
        self.braces > 0 || self.conditions > 0
    }

    /// Reads the next line.
    pub(super) fn read(&mut self, line: &[u8]) {
        let line = line.trim_ascii_end();
        let directive = (!self.in_comment && !self.in_macro)
            .then(|| line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start))
            .flatten();
        let was_macro = std::mem::replace(&mut self.in_macro, false);
        if directive.is_some() || was_macro {
            // The braces of macros need not be balanced.
            self.in_macro = line.ends_with(b"\\");
        }
        match directive {
            Some(directive) if directive.starts_with(b"if") => self.conditions += 1,
            Some(directive) if directive.starts_with(b"endif") => {
                self.conditions = self.conditions.saturating_sub(1);
            }
            Some(_) => {}
            None if was_macro => {}
            // By convention, this is the end of a function or type, whatever was counted in several branches of a condition.
            None if !self.in_comment && line.starts_with(b"}") => self.braces = 0,
            None => self.read_code(line),
        }
    }

    fn read_code(&mut self, line: &[u8]) {
        let mut quote = None;
        let mut at = 0;
        while at < line.len() {
            let rest = &line[at..];
            at += 1;
            if self.in_comment {
                if rest.starts_with(b"*/") {
                    (self.in_comment, at) = (false, at + 1);
                }
                continue;
            }
            match (rest[0], quote) {
                (b'\\', Some(_)) => at += 1,
                (byte, Some(open)) if byte == open => quote = None,
                (_, Some(_)) => {}
                (byte @ (b'"' | b'\''), None) => quote = Some(byte),
                (b'/', None) if rest.starts_with(b"//") => return,
                (b'/', None) if rest.starts_with(b"/*") => (self.in_comment, at) = (true, at + 1),
                (b'{', None) => self.braces += 1,
                (b'}', None) => self.braces = self.braces.saturating_sub(1),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_after(text: &str) -> (u32, u32) {
        let mut open = OpenBlocks::default();
        text.lines().for_each(|line| open.read(line.as_bytes()));
        (open.braces, open.conditions)
    }

    #[test]
    fn braces_and_conditions_are_counted_outside_of_comments_texts_and_macros() {
        assert_eq!(open_after("int f() {\n  if (a) {\n  }"), (1, 0));
        assert_eq!(open_after("char *a = \"{\"; char b = '{'; // {\n/* {\n{ */ {"), (1, 0));
        assert_eq!(open_after("#define A { \\\n  {\n#if B\n#  ifdef C\n#endif"), (0, 1));
    }

    #[test]
    fn a_brace_at_the_margin_ends_a_function() {
        assert_eq!(open_after("int f() {\n#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}"), (0, 0));
    }
}
