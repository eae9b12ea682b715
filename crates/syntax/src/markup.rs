//! What HTML and XML have in common.

/// Whether a text starts like a page, or an element that only pages have encloses it.
pub(crate) fn is_html(text: &[u8]) -> bool {
    starts_with_tag(text, &["!doctype html", "html", "head>", "body"])
        || enclosing_element(text).is_some_and(|name| ELEMENTS_OF_PAGES.contains(&name.as_str()))
}

/// Whether a text starts like a document of XML, or any element encloses it. Test for HTML first.
pub(crate) fn is_xml(text: &[u8]) -> bool {
    starts_with_tag(text, &["?xml", "!doctype ", "svg "]) || enclosing_element(text).is_some()
}

const ELEMENTS_OF_PAGES: [&str; 16] = [
    "a", "article", "div", "dl", "form", "h1", "main", "ol", "p", "pre", "script", "select", "span", "style",
    "table", "ul",
];

fn starts_with_tag(text: &[u8], tags: &[&str]) -> bool {
    let Some(inner) = text.trim_ascii().strip_prefix(b"<") else { return false };
    let starts =
        |tag: &str| inner.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()));
    tags.iter().any(|tag| starts(tag))
}

/// The name of the element that encloses a text, in lower case.
fn enclosing_element(text: &[u8]) -> Option<String> {
    let text = text.trim_ascii();
    let inner = text.strip_prefix(b"<")?;
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    let name = &inner[..inner.iter().take_while(is_name).count()];
    let end = text.strip_suffix(b">")?.strip_suffix(name)?;
    let is_enclosing = name.first()?.is_ascii_alphabetic() && end.ends_with(b"</");
    is_enclosing.then(|| String::from_utf8_lossy(name).to_ascii_lowercase())
}

/// Whether elements are not nested too deeply. The parsers copy all open elements for each token, so the time that they
/// take grows with the depth.
pub(crate) fn is_shallow(bytes: &[u8]) -> bool {
    deepest_element(bytes) <= MOST_ELEMENTS
}

const MOST_ELEMENTS: usize = 2_000;

/// How deeply elements are nested, as far as it can be seen without a parser. An element whose end can be omitted counts as
/// one without contents.
fn deepest_element(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for tag in bytes.split(|byte| *byte == b'<').skip(1) {
        let is_end = tag.first() == Some(&b'/');
        let rest = &tag[usize::from(is_end)..];
        let name = &rest[..rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
        let is_closed = tag.split(|byte| *byte == b'>').next().is_some_and(|tag| tag.ends_with(b"/"));
        if name.is_empty() || is_closed || WITHOUT_END.iter().any(|open| name.eq_ignore_ascii_case(open)) {
            continue;
        }
        depth = if is_end { depth.saturating_sub(1) } else { depth + 1 };
        deepest = deepest.max(depth);
    }
    deepest
}

const WITHOUT_END: [&[u8]; 24] = [
    b"area", b"base", b"br", b"col", b"dd", b"dt", b"embed", b"hr", b"img", b"input", b"li", b"link",
    b"meta", b"option", b"p", b"param", b"source", b"tbody", b"td", b"tfoot", b"th", b"thead", b"tr", b"wbr",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_follow_one_another_are_not_nested() {
        assert_eq!(deepest_element(b"<ul><li>a<br><li>b<br/></ul><P>c<p>d<i>e</i><b x='1'/>"), 1);
        assert_eq!(deepest_element(b"<a><b><c></c></b></a><!-- x -->1 < 2"), 3);
        assert_eq!(deepest_element(b"</a></a><a>"), 1);
    }
}
