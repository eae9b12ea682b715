//! The lines of a file, some of which belong to a feature.

use std::collections::BTreeMap;

/// The files of a version, by path.
pub type Files = BTreeMap<String, String>;

/// How much of a feature a version has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Share {
    Nothing,
    /// What the test needs.
    Needed,
    /// Also what came with it.
    Whole,
}

/// A file in the making.
#[derive(Debug)]
pub struct Source {
    text: String,
    remark: fn(&str) -> String,
    notes: [u32; 16],
}

impl Source {
    /// An empty one, in which remarks are written in some way and notes have these numbers, 0 for none.
    pub fn new(remark: fn(&str) -> String, notes: [u32; 16]) -> Self {
        Self { text: String::new(), remark, notes }
    }

    /// Adds lines.
    pub fn lines(&mut self, lines: &str) -> &mut Self {
        self.text += lines;
        self.text.push('\n');
        self
    }

    /// Adds lines that the test needs.
    pub fn needed(&mut self, share: Share, lines: &str) -> &mut Self {
        if share >= Share::Needed { self.lines(lines) } else { self }
    }

    /// Adds lines that came with them.
    pub fn beside(&mut self, share: Share, lines: &str) -> &mut Self {
        if share >= Share::Whole { self.lines(lines) } else { self }
    }

    /// Adds one of two.
    pub fn either(&mut self, which: bool, yes: &str, no: &str) -> &mut Self {
        self.lines(if which { yes } else { no })
    }

    /// Adds a note, if there is one at this place.
    pub fn note(&mut self, place: usize) -> &mut Self {
        match self.notes.get(place) {
            None | Some(0) => self,
            Some(number) => {
                let remark = (self.remark)(&format!("See remark {number} about this."));
                self.lines(&remark)
            }
        }
    }

    /// What was made.
    pub fn text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}
