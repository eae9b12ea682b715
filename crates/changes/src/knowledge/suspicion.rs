//! From the complaints about a mix to what its deltas probably need: definitions of names that they mention, removals of
//! mentions of names that they remove, and changes in the same function.

use super::complaints::{Complaint, ComplaintSort, complaints};
use super::repairs::Repairs;
use howcome_dd::{Configuration, DeltaId, Relation};
use std::collections::BTreeSet;

/// A complaint that more pairs of deltas than this could explain is not used.
const MOST_PAIRS: usize = 24;

/// Names that more deltas define are names of variables.
const FEW: usize = 3;

impl Repairs<'_> {
    /// What deltas of the configuration seem to need, according to the output.
    #[must_use]
    pub fn suspected(&self, configuration: &Configuration, output: &[u8]) -> Vec<Relation> {
        let mut pairs = BTreeSet::new();
        for complaint in complaints(output) {
            pairs.extend(Suspicion { of: self, mix: configuration, complaint: &complaint }.pairs());
        }
        pairs.into_iter().map(|(user, needed)| Relation::Needs(user, needed)).collect()
    }
}

type DeltaPair = (DeltaId, DeltaId);

/// One complaint about a mix.
struct Suspicion<'a> {
    of: &'a Repairs<'a>,
    mix: &'a Configuration,
    complaint: &'a Complaint,
}

impl Suspicion<'_> {
    fn pairs(&self) -> Vec<DeltaPair> {
        let place = self.of.at_place(self.mix, self.complaint);
        let named = match (&self.complaint.name, self.complaint.sort) {
            (Some(name), ComplaintSort::Missing) => self.missing(name, &place),
            (Some(name), ComplaintSort::Duplicate) => self.duplicate(name),
            (Some(name), _) => self.mismatch(name, &place),
            (None, ComplaintSort::NoFile) => {
                let remedy = self.of.remedy(self.mix, self.complaint);
                few(&remedy.go, &remedy.come)
            }
            (None, _) => Vec::new(),
        };
        if !named.is_empty() {
            return named;
        }
        let words = self.of.words;
        let shown = self.complaint.shown.iter().filter(|name| words.is_new(name) || words.is_gone(name));
        let shown: Vec<DeltaPair> = shown.flat_map(|name| self.missing(name, &place)).collect();
        if !shown.is_empty() {
            return shown;
        }
        let marked = self.complaint.marked.as_ref().map(|name| self.mismatch(name, &place));
        marked.filter(|pairs| !pairs.is_empty()).unwrap_or_else(|| self.function(&place))
    }

    fn missing(&self, name: &[u8], place: &Configuration) -> Vec<DeltaPair> {
        let words = self.of.words;
        let [adding, removing] = [words.adding(name), words.removing(name)];
        let [defining, undefining] = [words.defining(name), words.undefining(name)];
        let is_defined = !defining.within(self.mix).is_empty();
        let definers = either(defining.without(self.mix), || match is_defined {
            true => Configuration::empty(),
            false => adding.without(self.mix),
        });
        let users = adding.without(&defining).within(self.mix);
        let removers = either(undefining.without(&defining), || removing.without(&adding)).within(self.mix);
        let left = removing.without(self.mix);
        let mut pairs = few(&either(users.within(place), || users), &definers);
        pairs.extend(few(&removers, &either(left.within(place), || self.in_file(&left))));
        if pairs.is_empty() {
            // A name of a library: the line that includes it is missing.
            let including = words.adding(b"include").without(self.mix);
            pairs = few(&place.within(self.mix), &self.of.in_file(&including, self.complaint));
        }
        pairs
    }

    fn duplicate(&self, name: &[u8]) -> Vec<DeltaPair> {
        let words = self.of.words;
        few(&words.defining(name).within(self.mix), &words.undefining(name).without(self.mix))
    }

    fn mismatch(&self, name: &[u8], place: &Configuration) -> Vec<DeltaPair> {
        let words = self.of.words;
        let member = [&b"."[..], name].concat();
        let mentions = |name: &[u8]| words.adding(name).with(&words.removing(name));
        let name = if mentions(&member).is_empty() { name } else { &member };
        let mentions = mentions(name);
        let defining = words.defining(name).with(&words.undefining(name));
        let [inside, outside] = [mentions.within(self.mix), mentions.without(self.mix)];
        let defined = |deltas: &Configuration| either(defining.within(deltas), || deltas.clone());
        let mut pairs = few(&inside.within(place), &defined(&outside));
        pairs.extend(few(&defined(&inside), &outside.within(place)));
        pairs
    }

    /// A function that is half old and half new becomes all new.
    fn function(&self, place: &Configuration) -> Vec<DeltaPair> {
        let [inside, outside] = [place.within(self.mix), place.without(self.mix)];
        let function = self.in_file(&self.of.in_functions(place));
        let halves = match few(&inside, &outside) {
            halves if !halves.is_empty() => halves,
            _ if inside.is_empty() => few(&function.within(self.mix), &outside),
            _ => few(&inside, &function.without(self.mix)),
        };
        if halves.is_empty() { self.mentioned(&inside) } else { halves }
    }

    /// Nothing of the function is missing, but something that it mentions is still old.
    fn mentioned(&self, inside: &Configuration) -> Vec<DeltaPair> {
        let words = self.of.words;
        let of_delta = |user: DeltaId| {
            let needed = words.added(user).flat_map(|name| {
                let defining = words.defining(name).with(&words.undefining(name));
                if defining.len() > FEW { Vec::new() } else { defining.without(self.mix).iter().collect() }
            });
            needed.map(|needed| (user, needed)).collect::<BTreeSet<DeltaPair>>()
        };
        inside.iter().flat_map(of_delta).collect()
    }

    fn in_file(&self, deltas: &Configuration) -> Configuration {
        either(self.of.in_file(deltas, self.complaint), || deltas.clone())
    }
}

fn either(first: Configuration, other: impl FnOnce() -> Configuration) -> Configuration {
    if first.is_empty() { other() } else { first }
}

/// Each delta that uses a name with each delta that it needs, if these are few.
fn few(users: &Configuration, needed: &Configuration) -> Vec<DeltaPair> {
    if users.len() * needed.len() > MOST_PAIRS {
        return Vec::new();
    }
    users.iter().flat_map(|user| needed.iter().map(move |needed| (user, needed))).collect()
}
