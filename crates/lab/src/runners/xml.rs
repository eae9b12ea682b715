//! XML, as far as test reports need it.

/// A part of a document.
pub(super) enum XmlPart<'a> {
    /// `<name attribute="value">`; an empty element ends at once.
    Start {
        name: &'a str,
        attributes: Vec<(&'a str, String)>,
        is_empty: bool,
    },
    /// `</name>`
    End(&'a str),
    Text(String),
}

/// The parts of a document, one after the other. An item is `None` if the text is not XML.
pub(super) struct XmlParts<'a> {
    rest: &'a str,
}

impl<'a> XmlParts<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// The text up to an ending, which is skipped.
    fn take_to(&mut self, ending: &str) -> Option<&'a str> {
        let (before, after) = self.rest.split_once(ending)?;
        self.rest = after;
        Some(before)
    }

    fn take_part(&mut self) -> Option<XmlPart<'a>> {
        if !self.rest.starts_with('<') {
            let end = self.rest.find('<').unwrap_or(self.rest.len());
            let (text, rest) = self.rest.split_at(end);
            self.rest = rest;
            return Some(XmlPart::Text(decoded(text)));
        }
        if let Some(rest) = self.rest.strip_prefix("<![CDATA[") {
            self.rest = rest;
            return self.take_to("]]>").map(|text| XmlPart::Text(text.to_owned()));
        }
        for (begin, ending) in [("<!--", "-->"), ("<?", "?>"), ("<!", ">")] {
            if self.rest.starts_with(begin) {
                self.take_to(ending)?;
                return Some(XmlPart::Text(String::new()));
            }
        }
        self.rest = &self.rest[1..];
        if let Some(rest) = self.rest.strip_prefix('/') {
            self.rest = rest;
            return self.take_to(">").map(|name| XmlPart::End(name.trim_end()));
        }
        self.take_start()
    }

    /// The rest of an opening tag.
    fn take_start(&mut self) -> Option<XmlPart<'a>> {
        let end = self.rest.find(|character: char| !is_of_name(character))?;
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        let mut attributes = Vec::new();
        while self.rest.starts_with(is_of_name) {
            let attribute = self.take_to("=")?.trim_end();
            self.rest = self.rest.trim_start();
            let quote = self.rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            self.rest = &self.rest[1..];
            let value = if quote == '"' { self.take_to("\"") } else { self.take_to("'") }?;
            attributes.push((attribute, decoded(value)));
            self.rest = self.rest.trim_start();
        }
        let is_empty = self.rest.starts_with('/');
        self.rest = self.rest.trim_start_matches('/').strip_prefix('>')?;
        (!name.is_empty()).then_some(XmlPart::Start { name, attributes, is_empty })
    }
}

impl<'a> Iterator for XmlParts<'a> {
    type Item = Option<XmlPart<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let part = self.take_part();
        if part.is_none() {
            self.rest = "";
        }
        Some(part)
    }
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | ':' | '.')
}

/// Replaces `&lt;`, `&#10;` and the like by what they stand for.
fn decoded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let entity = after.find(';').filter(|end| *end < 10).map(|end| &after[..end]);
        match entity.and_then(character_of) {
            Some(character) => {
                plain.push(character);
                rest = &after[entity.map_or(0, str::len) + 1..];
            }
            None => {
                plain.push('&');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn character_of(entity: &str) -> Option<char> {
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = entity.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}
