//! The style of a drawing that is a separate file. Many SVG viewers support neither variables nor mixed colours, so plain
//! colours replace both.

/// The style that a page has: its colours are variables of the page.
pub(crate) const OF_PAGE: &str = include_str!("graph.css");

/// Plain colours for the variables and mixed colours of the style.
type Palette = [(&'static str, &'static str); 5];

const LIGHT: Palette = [
    ("color-mix(in srgb,var(--fail) 11%,var(--card))", "#f9e8e6"),
    ("var(--card)", "#ffffff"),
    ("var(--ink)", "#23262b"),
    ("var(--muted)", "#686d75"),
    ("var(--fail)", "#c5311d"),
];

const DARK: Palette = [
    ("color-mix(in srgb,var(--fail) 11%,var(--card))", "#362a2c"),
    ("var(--card)", "#1d2025"),
    ("var(--ink)", "#e8e6e1"),
    ("var(--muted)", "#a0a4ab"),
    ("var(--fail)", "#ff7d68"),
];

/// The style for the light and for the dark.
pub(crate) fn of_file() -> String {
    let dark = format!("{}.howcome-graph{{background:#15171b}}\n", coloured(&DARK));
    format!("{}@media screen and (prefers-color-scheme:dark){{\n{dark}}}\n", coloured(&LIGHT))
}

fn coloured(palette: &Palette) -> String {
    palette.iter().fold(OF_PAGE.to_owned(), |style, (name, colour)| style.replace(name, colour))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_separate_file_needs_no_variables() {
        let style = of_file();
        assert!(
            !style.contains("var(") && !style.contains("color-mix") && style.contains("prefers-color-scheme")
        );
    }
}
