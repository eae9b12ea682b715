//! Names of C++ templates.

/// The arguments of a template, as they are written.
pub(super) fn template_arguments(name: &str) -> Vec<&str> {
    let Some((_, inside)) = name.split_once('<') else { return Vec::new() };
    let inside = inside.strip_suffix('>').unwrap_or(inside);
    let (mut depth, mut from) = (0_i32, 0);
    let mut arguments = Vec::new();
    for (index, byte) in inside.bytes().enumerate() {
        match byte {
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth -= 1,
            b',' if depth == 0 => {
                arguments.push(inside[from..index].trim());
                from = index + 1;
            }
            _ => {}
        }
    }
    arguments.push(inside[from..].trim());
    arguments
}
