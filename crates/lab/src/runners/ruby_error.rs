//! Calls as Ruby prints them.

use super::line_pattern::LinePattern;

/// The function and the place of a call: `./lib/cart.rb:3:in `total'`.
pub(super) fn read_call(text: &str) -> Option<(Option<String>, (String, u32))> {
    static CALL: LinePattern = LinePattern::new(":", r"^([^:\s][^:]*):(\d+)(?::in [`'](.+)')?$");
    let call = CALL.captures(text)?;
    let function = call.get(3).map(|function| function.as_str());
    // The blocks of tests have no names of their own.
    let function = function.filter(|function| !function.contains("<top (required)>"));
    Some((function.map(str::to_owned), (call[1].to_owned(), call[2].parse().ok()?)))
}
