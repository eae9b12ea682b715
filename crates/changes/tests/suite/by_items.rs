//! Changes of whole functions, types and declarations can be mixed at will.

use crate::world::{Files, PLAIN, contents, subset, tree};
use howcome_changes::{ChangeSet, mix};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// What a file has of each name: nothing, or one of several definitions.
type Definitions = BTreeMap<u8, u8>;

/// How a definition looks in a language. Each of its lines names the definition, so that no line is in two of them.
#[derive(Clone, Copy, Debug)]
enum Language {
    C,
    Rust,
    Python,
}

impl Language {
    const ALL: [(Self, &'static str); 3] = [(Self::C, "a.c"), (Self::Rust, "b.rs"), (Self::Python, "c.py")];

    fn definition(self, name: u8, version: u8) -> String {
        let head = match version % 2 {
            0 => String::new(),
            _ => format!("more_{name}"),
        };
        match self {
            Self::C if name == 6 => format!("#define V{name} {version}\n"),
            Self::C if name == 7 => format!("struct s{name} {{\n    int v{name}_{version};\n}};\n"),
            Self::C => {
                let parameter = if head.is_empty() { "void".to_owned() } else { format!("int {head}") };
                format!(
                    "int f{name}({parameter})\n{{\n    int v{name}_{version} = {version};\n    return v{name}_{version};\n}}\n"
                )
            }
            Self::Rust if name == 6 => format!("const V{name}: u8 = {version};\n"),
            Self::Rust => {
                let parameter = if head.is_empty() { head } else { format!("{head}: u8") };
                format!(
                    "fn f{name}({parameter}) -> u8 {{\n    let v{name}_{version} = {version};\n    v{name}_{version}\n}}\n"
                )
            }
            Self::Python if name == 6 => format!("V{name} = {version}\n"),
            Self::Python => format!(
                "def f{name}({head}):\n    v{name}_{version} = {version}\n    return v{name}_{version}\n"
            ),
        }
    }

    fn file(self, definitions: &Definitions) -> Vec<u8> {
        let texts = definitions.iter().map(|(name, version)| self.definition(*name, *version));
        texts.collect::<Vec<_>>().join("\n").into_bytes()
    }
}

fn version() -> impl Strategy<Value = Vec<Definitions>> {
    let definitions = prop::collection::btree_map(0..8_u8, 0..6_u8, 0..8);
    prop::collection::vec(definitions, Language::ALL.len())
}

fn files_of(version: &[Definitions]) -> Files {
    let files = Language::ALL.iter().zip(version).filter(|(_, definitions)| !definitions.is_empty());
    files
        .map(|((language, name), definitions)| {
            (name.as_bytes().to_vec(), (PLAIN, language.file(definitions)))
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_of_them_make_the_bad_version_and_none_the_good_one(good in version(), bad in version()) {
        let (good, bad) = (files_of(&good), files_of(&bad));
        let changes = ChangeSet::by_items(&tree(&good), &tree(&bad)).unwrap();
        prop_assert_eq!(contents(&tree(&good).with(&mix(&changes, &changes.all()))), bad);
        let none = subset(&changes, 0);
        prop_assert_eq!(contents(&tree(&good).with(&mix(&changes, &none))), good);
    }

    #[test]
    fn whatever_is_chosen_each_name_is_as_in_one_of_the_versions(
        good in version(), bad in version(), bits: u64
    ) {
        let trees = [tree(&files_of(&good)), tree(&files_of(&bad))];
        let changes = ChangeSet::by_items(&trees[0], &trees[1]).unwrap();
        let mixed = contents(&trees[0].with(&mix(&changes, &subset(&changes, bits))));
        for (place, (language, file)) in Language::ALL.iter().enumerate() {
            let text = mixed.get(file.as_bytes()).map(|(_, bytes)| bytes.clone()).unwrap_or_default();
            let text = String::from_utf8(text).unwrap();
            let mut expected = 0;
            for name in 0..8 {
                let definition = |version: &[Definitions]| {
                    version[place].get(&name).map(|version| language.definition(name, *version))
                };
                let sides = [definition(&good), definition(&bad)];
                let there = sides.iter().flatten().find(|definition| text.contains(definition.as_str()));
                prop_assert!(there.is_some() || sides.contains(&None), "{} of {}:\n{}", name, file, text);
                expected += there.map_or(0, |definition| definition.lines().count());
            }
            // Nothing else is there, and nothing twice.
            let lines = text.lines().filter(|line| !line.is_empty()).count();
            prop_assert_eq!(lines, expected, "{}:\n{}", file, text);
        }
    }
}
