//! Names, each stored once.

use std::collections::HashMap;

/// Names by number.
#[derive(Debug, Default)]
pub(super) struct NameNumbers {
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl NameNumbers {
    /// The number of a name.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The name of a number.
    pub(super) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }

    /// All names in the order of their numbers.
    pub(super) fn into_vec(self) -> Vec<String> {
        self.names
    }
}
