//! Where the named types of an image are described. Names are kept as hashes: a large program has millions of them.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The named types of an image: hash of the name, unit and offset, in ascending order.
#[derive(Debug, Default)]
pub(super) struct TypeDefinitions(Vec<(u64, u32, u32)>);

impl TypeDefinitions {
    /// Adds a name, with its unit and its offset there. When all are added, [`TypeDefinitions::sort`] is called once.
    pub(super) fn add(&mut self, name: &str, unit: u32, offset: u32) {
        self.0.push((hash(name), unit, offset));
    }

    pub(super) fn sort(&mut self) {
        self.0.sort_unstable();
    }

    /// The units and offsets that can describe the type with a name. Another name can have the same hash.
    pub(super) fn of_name(&self, name: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
        let hash = hash(name);
        let first = self.0.partition_point(|(other, _, _)| *other < hash);
        let same = self.0.iter().skip(first).take_while(move |(other, _, _)| *other == hash);
        same.map(|(_, unit, offset)| (*unit, *offset))
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}
