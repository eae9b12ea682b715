//! Text for HTML and SVG.

use howcome_run::words::printable;

/// Text in which no character has a meaning in HTML or XML, neither in an element nor in an attribute.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in printable(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_its_element_or_attribute() {
        assert_eq!(escape("<a href=\"x\">'&\0"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\\u{0}");
    }
}
