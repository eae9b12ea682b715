//! Debug information with changed bytes: reading all of it ends, without a panic.

#![allow(clippy::unwrap_used)]

#[path = "debug/built.rs"]
#[allow(dead_code)]
mod built;

use built::build;
use howcome_state::debug::{Loaded, Program, REGISTERS, Registers, Type, TypeId};
use howcome_state::{Address, ReadMemory};
use object::{Object, ObjectSection};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::sync::OnceLock;

const C: &str = "
struct node { struct node *next; unsigned a : 3; int b[2][3]; union { int i; float f; } u; };
enum colour { RED, BLUE = 7 } colour = BLUE;
typedef struct { struct node node; int (*call)(int, char *); } holder;
holder held; static struct node *list = &held.node; struct hidden *hidden;
static int inner(struct node *at, int depth) {
    static int calls;
    for (int i = 0; i < depth; i++) { int twice = i * 2; calls += twice; }
    return at->next ? inner(at->next, depth + 1) : calls;
}
int main(int argc, char **argv) { (void)argv; list->next = 0; hidden = 0; return inner(list, argc) - 0; }
";

const CPP: &str = "
namespace n { namespace { int hidden = 1; } enum class mood : char { calm, cross };
struct base { virtual ~base() {} int a = 1; }; struct other { int o = 2; };
template <typename T, typename... R> struct box : base, virtual other { T t; static int count; mood m;
  T get(const T &by) { auto f = [&by, this](T x) { return x + by + t; }; return f(t); } };
template <typename T, typename... R> int box<T, R...>::count = 3; }
int main() { n::box<int, char, long> b; b.t = n::hidden; return b.get(4) - 6 + n::box<int, char, long>::count - 3; }
";

/// A program and where its debug information is in the file.
struct Victim {
    bytes: Vec<u8>,
    sections: Vec<Range<usize>>,
}

fn victims() -> &'static [Victim] {
    static VICTIMS: OnceLock<Vec<Victim>> = OnceLock::new();
    VICTIMS.get_or_init(|| {
        let builds = [
            (C, "c", "gcc -g -O0 -o program {}"),
            (C, "c", "gcc -g -gdwarf-4 -O2 -o program {}"),
            (C, "c", "clang -g -O1 -o program {}"),
            (CPP, "cc", "g++ -g -O1 -fno-inline -fno-ipa-cp -fdebug-types-section -o program {}"),
            (CPP, "cc", "clang++ -g -O0 -o program {}"),
        ];
        let builds = builds.into_iter().filter_map(|(source, suffix, command)| {
            let built = build(source, suffix, command)?;
            let bytes = fs::read(&built.program).unwrap();
            let file = object::File::parse(&*bytes).unwrap();
            let sections = file.sections().filter(|section| {
                section.name().is_ok_and(|name| name.starts_with(".debug") || name.starts_with(".eh_frame"))
            });
            let range = |section: object::Section<'_, '_>| {
                let (start, length) = section.file_range()?;
                Some(start as usize..(start + length) as usize)
            };
            let sections = sections.filter_map(range).collect();
            Some(Victim { bytes, sections })
        });
        builds.collect()
    })
}

/// A memory in which each word points near itself.
struct Made;

impl ReadMemory for Made {
    fn read(&self, at: Address, into: &mut [u8]) -> bool {
        let word = (at.0 & !7).wrapping_add(16).to_le_bytes();
        into.iter_mut().zip(word.iter().cycle()).for_each(|(to, from)| *to = *from);
        at.0 > 4096
    }
}

fn types_within(ty: &Type) -> Vec<TypeId> {
    match ty {
        Type::Pointer { to, .. } => vec![*to],
        Type::Array { of, .. } => vec![*of],
        Type::Record(record) => {
            let variants = record.variants.iter().flat_map(|variants| &variants.cases);
            let members =
                record.members.iter().chain(variants.map(|case| &case.member)).map(|member| member.ty);
            members.chain(record.arguments.iter().map(|(_, ty)| *ty)).collect()
        }
        _ => Vec::new(),
    }
}

/// Reads everything about a program, and returns how much there was.
fn ask_everything(program: &Program) -> usize {
    let mut much = 0;
    let mut seen = BTreeSet::new();
    let mut next: Vec<TypeId> = program.globals(&Made).iter().map(|variable| variable.ty).collect();
    let functions = program.functions().to_vec();
    for function in &functions {
        let mut values = [0x7fff_0000u64; REGISTERS];
        values[16] = function.body.0;
        let frames = program.backtrace(&Registers::of_innermost(values), &Made, 20);
        for frame in frames.iter().take(3) {
            next.extend(program.locals(frame, &Made).iter().map(|variable| variable.ty));
            much +=
                program.lost_locals(frame, &Made) + usize::from(program.line_at(frame.lookup()).is_some());
        }
        for id in program.functions_named(&function.name) {
            much += program.statements(id).len();
        }
        much += program.addresses_of_line("program.c", function.line).len();
        next.extend(program.type_named(&function.name));
    }
    while let Some(id) = next.pop() {
        if seen.len() < 5000 && seen.insert(id) {
            much += program.type_name(id).len() + usize::from(program.size(id) > 0);
            next.extend(types_within(&program.ty(id)));
        }
    }
    much + functions.len() + seen.len()
}

fn load(bytes: &[u8]) -> Option<Program> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program");
    fs::write(&path, bytes).unwrap();
    Program::load(&[Loaded { path, bias: 0x5555_0000_0000 }], &[]).ok()
}

#[test]
fn unchanged_programs_have_much_to_say() {
    for victim in victims() {
        let much = ask_everything(&load(&victim.bytes).unwrap());
        assert!(much > 20, "{much}");
    }
}

#[derive(Clone, Debug)]
enum Change {
    Byte(usize, usize, u8),
    Zeroes(usize, usize, usize),
    Copy(usize, usize, usize, usize),
    Cut(usize),
    /// Headers, symbols and code are changed, too.
    Anywhere(usize, u8),
}

fn change() -> impl Strategy<Value = Change> {
    let place = any::<usize>;
    prop_oneof![
        8 => (place(), place(), any::<u8>()).prop_map(|(section, at, byte)| Change::Byte(section, at, byte)),
        4 => (place(), place(), prop_oneof![Just(0xffu8), Just(0x80), Just(0), Just(1), Just(0x7f)])
            .prop_map(|(section, at, byte)| Change::Byte(section, at, byte)),
        1 => (place(), place(), 1..64usize).prop_map(|(section, at, length)| Change::Zeroes(section, at, length)),
        2 => (place(), place(), place(), 1..64usize)
            .prop_map(|(section, from, to, length)| Change::Copy(section, from, to, length)),
        1 => place().prop_map(Change::Cut),
        1 => (place(), any::<u8>()).prop_map(|(at, byte)| Change::Anywhere(at, byte)),
        1 => (0..64usize, any::<u8>()).prop_map(|(at, byte)| Change::Anywhere(at, byte)),
    ]
}

fn apply(victim: &Victim, changes: &[Change]) -> Vec<u8> {
    let mut bytes = victim.bytes.clone();
    let place = |section: usize, at: usize| {
        let section = &victim.sections[section % victim.sections.len()];
        section.start + at % section.len().max(1)
    };
    let mut end = bytes.len();
    for change in changes {
        match *change {
            Change::Byte(section, at, byte) => bytes[place(section, at)] = byte,
            Change::Zeroes(section, at, length) => {
                let at = place(section, at);
                let to = (at + length).min(bytes.len());
                bytes[at..to].fill(0);
            }
            Change::Copy(section, from, to, length) => {
                let (from, to) = (place(section, from), place(section, to));
                let length = length.min(bytes.len() - from.max(to));
                bytes.copy_within(from..from + length, to);
            }
            Change::Anywhere(at, byte) => {
                let length = bytes.len();
                bytes[at % length] = byte;
            }
            Change::Cut(at) => end = end.min(1 + at % bytes.len()),
        }
    }
    bytes.truncate(end);
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn changed_bytes_are_survived(which in any::<usize>(), changes in prop::collection::vec(change(), 1..12)) {
        let victims = victims();
        prop_assume!(!victims.is_empty());
        let bytes = apply(&victims[which % victims.len()], &changes);
        if let Some(program) = load(&bytes) {
            ask_everything(&program);
        }
    }
}
