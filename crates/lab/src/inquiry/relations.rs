//! What the user knows of the deltas beforehand: that each needs all earlier ones, which belong together, and which need which.

use super::relation_file::{NamedGroup, NamedNeed, RelationFile};
use howcome_dd::{Configuration, DeltaId, Knowledge, Relation, Split};
use howcome_run::Problem;
use serde::{Deserialize, Serialize};

/// What the user knows of the deltas, as `run.json` keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelationsRequest {
    /// Whether each delta needs all earlier ones.
    #[serde(default)]
    pub order: bool,
    /// Groups of deltas that are tried together first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<RelationFile>,
    /// Which deltas need which others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs: Option<RelationFile>,
}

impl RelationsRequest {
    /// The groups, by names.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub fn groups(&self) -> Result<Vec<NamedGroup>, Problem> {
        self.together.as_ref().map_or(Ok(Vec::new()), RelationFile::groups)
    }

    /// The needs, by names.
    ///
    /// # Errors
    /// If the file cannot be understood.
    pub fn needs(&self) -> Result<Vec<NamedNeed>, Problem> {
        self.needs.as_ref().map_or(Ok(Vec::new()), RelationFile::needs)
    }

    /// Whether outcomes can be predicted from it.
    #[must_use]
    pub fn predicts(&self) -> bool {
        self.order || self.needs.is_some()
    }

    /// Checks that each name stands for at least one delta.
    ///
    /// # Errors
    /// If a file cannot be understood, or a name in it is unknown. `unknown` says what a name should be.
    pub fn check(&self, find: impl Fn(&str) -> Configuration, unknown: &UnknownName) -> Result<(), Problem> {
        let check = |file: &RelationFile, line: usize, names: &mut dyn Iterator<Item = &String>| {
            for name in names {
                if find(name).is_empty() {
                    let message = format!("`{name}` {}", unknown.message);
                    return Err(file.problem(line, &message).hint(unknown.hint));
                }
            }
            Ok(())
        };
        if let Some(file) = &self.together {
            for NamedGroup { line, names } in file.groups()? {
                check(file, line, &mut names.iter())?;
            }
        }
        if let Some(file) = &self.needs {
            for NamedNeed { line, dependents, needed } in file.needs()? {
                check(file, line, &mut dependents.iter().chain(&needed))?;
            }
        }
        Ok(())
    }

    /// The same with deltas instead of names. Names that stand for no delta are left out.
    ///
    /// # Errors
    /// If a file cannot be understood.
    pub fn resolve(&self, find: impl Fn(&str) -> Configuration) -> Result<KnownRelations, Problem> {
        let all = |names: &[String]| {
            names.iter().fold(Configuration::empty(), |found, name| found.with(&find(name)))
        };
        let groups = self.groups()?.into_iter().map(|group| all(&group.names)).collect();
        let mut needs = Vec::new();
        for NamedNeed { dependents, needed, .. } in self.needs()? {
            let needed = all(&needed);
            for dependent in all(&dependents).iter() {
                let others = needed.iter().filter(|needed| *needed != dependent);
                needs.extend(others.map(|needed| Relation::Needs(dependent, needed)));
            }
        }
        needs.sort_unstable_by_key(pair);
        needs.dedup();
        let order = if self.order { Knowledge::total_order() } else { Knowledge::none() };
        Ok(KnownRelations { groups: joined(groups), order, needs })
    }
}

/// What is wrong with a name that stands for no delta, and what to write instead.
#[derive(Clone, Copy, Debug)]
pub struct UnknownName {
    /// The message, after the name.
    pub message: &'static str,
    /// What to do.
    pub hint: &'static str,
}

/// What is known of the deltas of a subject.
#[derive(Clone, Debug, Default)]
pub struct KnownRelations {
    /// Deltas that are tried together first. The groups do not overlap.
    pub groups: Vec<Configuration>,
    /// Which deltas need all earlier ones.
    pub order: Knowledge,
    /// Which deltas need which others.
    pub needs: Vec<Relation>,
}

impl KnownRelations {
    /// Everything from which outcomes can be predicted.
    #[must_use]
    pub fn knowledge(&self) -> Knowledge {
        self.needs.iter().fold(self.order.clone(), |known, relation| known.and(*relation))
    }

    /// Whether outcomes can be predicted from it.
    #[must_use]
    pub fn predicts(&self) -> bool {
        !self.order.is_empty() || !self.needs.is_empty()
    }

    /// How a search cuts the deltas.
    #[must_use]
    pub fn split(&self) -> Split {
        match self.groups.is_empty() {
            true => Split::Even,
            false => Split::along(self.groups.iter().cloned()),
        }
    }
}

fn pair(relation: &Relation) -> (DeltaId, DeltaId) {
    match *relation {
        Relation::Needs(one, other) | Relation::Excludes(one, other) => (one, other),
    }
}

/// Groups that share a delta become one group.
fn joined(groups: Vec<Configuration>) -> Vec<Configuration> {
    let mut joined: Vec<Configuration> = Vec::new();
    for mut group in groups {
        joined.retain(|other| {
            let is_apart = other.within(&group).is_empty();
            if !is_apart {
                group = group.with(other);
            }
            is_apart
        });
        joined.push(group);
    }
    joined.retain(|group| group.len() > 1);
    joined.sort_by_key(|group| group.first_from(DeltaId(0)));
    joined
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn file(text: &str) -> Option<RelationFile> {
        Some(RelationFile { path: "known.txt".into(), text: text.to_owned() })
    }

    /// The deltas `a` to `z`; `*` is all of them.
    fn letters(name: &str) -> Configuration {
        match name {
            "*" => Configuration::all(26),
            _ => name.bytes().map(|byte| DeltaId(u32::from(byte - b'a'))).take(1).collect(),
        }
    }

    #[test]
    fn groups_that_share_a_delta_become_one() {
        let request =
            RelationsRequest { together: file("a b\nd e # a comment\n\nc\nb c"), ..Default::default() };
        let known = request.resolve(letters).unwrap();
        let shown: Vec<String> = known.groups.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["1-3", "4-5"]);
        assert!(known.knowledge().is_empty(), "a group predicts nothing");
    }

    #[test]
    fn each_delta_before_the_colon_needs_each_after_it() {
        let request = RelationsRequest { needs: file("c d: a b\na: a\nd: a"), ..Default::default() };
        let knowledge = request.resolve(letters).unwrap().knowledge();
        let needed = |text: &str| knowledge.with_needed(&text.parse().unwrap()).to_string();
        assert_eq!(needed("3"), "1-3");
        assert_eq!(needed("4"), "1-2,4");
        assert_eq!(needed("1"), "1", "no delta needs itself");
    }

    #[test]
    fn an_unknown_name_is_reported_with_its_file_and_line() {
        let unknown = UnknownName { message: "is not a letter", hint: "write a letter" };
        let find = |name: &str| match name.len() {
            1 => letters(name),
            _ => Configuration::empty(),
        };
        let request = RelationsRequest { needs: file("# needs\na: b\nb: two"), ..Default::default() };
        let problem = request.check(find, &unknown).unwrap_err();
        assert_eq!(problem.to_string(), "error: known.txt:3: `two` is not a letter\nhint: write a letter");
        let request = RelationsRequest { together: file("a b"), ..Default::default() };
        assert!(request.check(find, &unknown).is_ok());
    }
}
