//! The variables that decide at a moment, and whether the same variables still decide later.

use crate::Address;
use crate::debug::{RETURN_VALUE, TypeId};
use crate::examination::Examined;
use crate::graph::{MemoryVertex, ProgramState, Shape, VertexId};
use crate::matching::DeltaKind;
use crate::snapshot::RegionKind;
use crate::state_cause::StateCause;

/// The length of a pointer.
const WORD: u64 = 8;

/// The variables that decide at a moment, with their values in the failing run. A variable with another value counts as
/// another cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Deciders {
    variables: Vec<DecidingValue>,
    /// The addresses of everything that exists at this moment, in ascending order.
    there: Vec<Address>,
    /// Whether they alone make the passing run fail. If not, the failing run passes without them, and other variables are needed too.
    is_enough: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct DecidingValue {
    name: String,
    value: Vec<u8>,
    /// Its values in both runs, in words.
    words: [String; 2],
    /// Where it is in the failing run. Unread input, for example, is not in memory and has no address.
    spot: Option<(Address, TypeId)>,
    /// The vertices that change together with it, and the pointers that point to the same object, each with its value:
    /// either of two equal pointers can be named as the cause.
    along: Vec<((Address, TypeId), Vec<u8>)>,
    /// Whether it is the input itself: unread input, an argument of the program, or a variable of its environment.
    is_input: bool,
}

impl Deciders {
    /// The variables that decide at a place.
    pub(crate) fn of(examined: &Examined) -> Self {
        let ProgramState { graph, snapshot, frames, .. } = &examined.states[1];
        // The kernel puts arguments and environment above all frames.
        let frames_end = frames.iter().map(|frame| frame.cfa).max();
        let is_argument = |at: Address| {
            snapshot.region(at).is_some_and(|region| region.kind == RegionKind::Stack)
                && frames_end.is_some_and(|end| at >= end)
        };
        let held = |vertex: VertexId| {
            let vertex = &graph.vertices[vertex.0 as usize];
            let length = match vertex.shape {
                Shape::Scalar(length) | Shape::Text(length) => u64::from(length),
                _ => WORD,
            };
            let value = snapshot.bytes(vertex.at, length).unwrap_or_default().to_vec();
            ((vertex.at, vertex.ty), value)
        };
        let variable = |cause: &StateCause| {
            let name = cause.variable.clone();
            let mut along: Vec<_> = cause.along.iter().map(|[_, failing]| held(*failing)).collect();
            let main = cause.vertices.map(|[_, failing]| failing);
            if let Some(pointer) = main.map(|vertex| &graph.vertices[vertex.0 as usize]) {
                let is_pointer =
                    |vertex: &MemoryVertex| vertex.shape == Shape::Pointer && vertex.ty == pointer.ty;
                let word = snapshot.bytes(pointer.at, WORD).filter(|_| is_pointer(pointer));
                let is_alike = |vertex: &&MemoryVertex| {
                    word.is_some() && is_pointer(vertex) && snapshot.bytes(vertex.at, WORD) == word
                };
                let value =
                    |vertex: &MemoryVertex| ((vertex.at, vertex.ty), word.unwrap_or_default().to_vec());
                along.extend(graph.vertices.iter().filter(is_alike).map(value));
            }
            let words = [cause.failing.clone(), cause.passing.clone()];
            let is_input = cause.kind == DeltaKind::Unread
                || main.is_some_and(|vertex| is_argument(graph.vertices[vertex.0 as usize].at));
            match main.map(held) {
                Some((spot, value)) => {
                    DecidingValue { name, value, words, spot: Some(spot), along, is_input }
                }
                None => DecidingValue {
                    name,
                    value: cause.failing.clone().into_bytes(),
                    words,
                    spot: None,
                    along,
                    is_input,
                },
            }
        };
        let mut there: Vec<Address> = graph.vertices.iter().map(|vertex| vertex.at).collect();
        there.sort_unstable();
        there.dedup();
        let is_enough = examined.causes.iter().all(|cause| cause.alone_fails != Some(false));
        Self { variables: examined.causes.iter().map(variable).collect(), there, is_enough }
    }

    /// Whether these variables say where later ones come from. Variables that are enough alone do not come from variables that are
    /// only needed: many variables are needed at a time, and any of them can be found.
    pub(crate) fn can_lead_to(&self, later: &Self) -> bool {
        self.is_enough || !later.is_enough
    }

    /// Whether nothing but the input decides.
    pub(crate) fn is_input(&self) -> bool {
        self.variables.iter().all(|variable| variable.is_input)
    }

    /// Whether the value that a function is about to return is one of them.
    pub(crate) fn is_returned(&self) -> bool {
        self.variables.iter().any(|variable| variable.name == RETURN_VALUE)
    }

    /// The names of the variables.
    pub(crate) fn names(&self) -> Vec<String> {
        self.variables.iter().map(|variable| variable.name.clone()).collect()
    }

    /// Whether each variable that decides later already decides now. If one of two variables drops out, the cause is still
    /// the same.
    pub(crate) fn goes_on_in(&self, later: &Self) -> bool {
        let is_now = |then: &DecidingValue| self.variables.iter().any(|now| self.is_same(now, then, later));
        later.variables.iter().all(is_now)
    }

    /// Whether the variables that decide later have the values of variables that decide now: they were only copied, or the same was appended
    /// to them in both runs.
    pub(crate) fn is_copied_to(&self, later: &Self) -> bool {
        let is_copy = |then: &DecidingValue| {
            let is_now =
                |now: &DecidingValue| now.words == then.words || is_appended(&now.words, &then.words);
            self.variables.iter().any(is_now)
        };
        later.variables.iter().all(is_copy)
    }

    /// A variable keeps its address as long as it lives, whatever it is called. Two things move: the elements of an array
    /// that grows, and a value that is copied into a finished record. Another variable can get the same name, for example if
    /// a tree gets another root. Then one of the two exists at both moments.
    fn is_same(&self, now: &DecidingValue, then: &DecidingValue, later: &Self) -> bool {
        let has_value = |(spot, value): &(_, Vec<u8>)| Some(*spot) == then.spot && *value == then.value;
        if now.along.iter().any(has_value) {
            return true;
        }
        let may_be = match (now.spot, then.spot) {
            (Some(spot), Some(other)) if spot == other => true,
            (Some(spot), Some(other)) => {
                let is_gone = later.there.binary_search(&spot.0).is_err();
                let is_new = self.there.binary_search(&other.0).is_err();
                spot.1 == other.1 && last_name(&now.name) == last_name(&then.name) && is_gone && is_new
            }
            _ => now.name == then.name,
        };
        may_be && now.value == then.value
    }
}

/// Whether two texts, in words, have both got the same text at the end.
fn is_appended(now: &[String; 2], then: &[String; 2]) -> bool {
    let added =
        |side: usize| then[side].strip_prefix(now[side].strip_suffix('"')?).filter(|_| now[side].len() > 1);
    added(0).is_some_and(|text| added(1) == Some(text))
}

/// The last part of a name: `cells[1]` of `main::table.rows[0].cells[1]`.
fn last_name(name: &str) -> &str {
    name.rsplit(['.', '>', ':']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deciders(variables: &[(&str, Option<u64>, u8)], there: &[u64]) -> Deciders {
        let variable = |(name, at, value): &(&str, Option<u64>, u8)| DecidingValue {
            name: (*name).to_owned(),
            value: vec![*value],
            words: [value.to_string(), String::new()],
            spot: at.map(|at| (Address(at), TypeId(0))),
            along: Vec::new(),
            is_input: at.is_none(),
        };
        let there = there.iter().map(|at| Address(*at)).collect();
        Deciders { variables: variables.iter().map(variable).collect(), there, is_enough: true }
    }

    #[test]
    fn a_variable_is_the_same_under_another_name_but_not_with_another_value() {
        let now = deciders(&[("count", Some(8), 1)], &[8]);
        assert!(now.goes_on_in(&deciders(&[("main::stock.count", Some(8), 1)], &[8])));
        assert!(!now.goes_on_in(&deciders(&[("count", Some(8), 2)], &[8])));
    }

    #[test]
    fn the_one_of_two_that_stays_does_not_take_over() {
        let two = deciders(&[("a", Some(8), 1), ("b", Some(16), 1)], &[8, 16]);
        let one = deciders(&[("a", Some(8), 1)], &[8, 16]);
        assert!(two.goes_on_in(&one));
        assert!(!one.goes_on_in(&two));
    }

    #[test]
    fn what_changes_together_with_another_decides_already() {
        let mut now = deciders(&[("node->right", Some(8), 1)], &[8, 16]);
        now.variables[0].along = [8, 16].map(|at| ((Address(at), TypeId(0)), vec![1])).to_vec();
        assert!(now.goes_on_in(&deciders(&[("root->right", Some(16), 1)], &[16])));
        assert!(!now.goes_on_in(&deciders(&[("root->right", Some(16), 2)], &[16])));
    }

    #[test]
    fn what_moved_is_the_same_and_what_got_its_name_is_not() {
        let now = deciders(&[("v[0]", Some(8), 1)], &[8, 16]);
        assert!(now.goes_on_in(&deciders(&[("v[0]", Some(32), 1)], &[16, 32])));
        assert!(now.goes_on_in(&deciders(&[("main::table.rows->v[0]", Some(32), 1)], &[16, 32])));
        assert!(!now.goes_on_in(&deciders(&[("w[0]", Some(32), 1)], &[16, 32])));
        assert!(!now.goes_on_in(&deciders(&[("v[0]", Some(16), 1)], &[16])));
        assert!(!now.goes_on_in(&deciders(&[("v[0]", Some(32), 1)], &[8, 32])));
    }

    #[test]
    fn the_same_value_under_another_name_is_a_copy() {
        let now = deciders(&[("count", Some(8), 1)], &[8, 16]);
        assert!(now.is_copied_to(&deciders(&[("total", Some(16), 1)], &[8, 16])));
        assert!(!now.is_copied_to(&deciders(&[("total", Some(16), 2)], &[8, 16])));
    }

    #[test]
    fn a_text_to_which_both_runs_append_the_same_is_a_copy() {
        let words = |failing: &str, passing: &str| [failing, passing].map(|text| format!("{text:?}"));
        let now = words("foo", "foo_");
        assert!(is_appended(&now, &words("foo</p>\n", "foo_</p>\n")));
        assert!(!is_appended(&now, &words("foo", "foo_ ")), "not the same");
        assert!(!is_appended(&now, &words("bar", "bar_")));
        let numbers = |failing: u32, passing: u32| [failing, passing].map(|number| number.to_string());
        assert!(!is_appended(&numbers(1, 2), &numbers(15, 25)), "numbers are not texts");
    }

    #[test]
    fn what_is_enough_does_not_come_from_what_is_only_needed() {
        let enough = deciders(&[("count", Some(8), 1)], &[8, 16]);
        let needed = Deciders { is_enough: false, ..deciders(&[("code[96]", Some(16), 1)], &[8, 16]) };
        assert!(!needed.can_lead_to(&enough));
        assert!(enough.can_lead_to(&needed) && enough.can_lead_to(&enough) && needed.can_lead_to(&needed));
    }

    #[test]
    fn input_that_is_not_read_is_known_by_its_name() {
        let now = deciders(&[("standard input", None, 1)], &[]);
        assert!(now.goes_on_in(&now) && now.is_input());
        assert!(!deciders(&[("standard input", None, 1), ("count", Some(8), 1)], &[8]).is_input());
    }
}
