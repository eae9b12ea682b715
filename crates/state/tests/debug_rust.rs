//! Debug information of Rust programs.

#![allow(clippy::unwrap_used)]

#[path = "debug/built.rs"]
#[allow(dead_code)]
mod built;

use built::{Built, build};
use howcome_state::debug::{RecordType, ScalarEncoding, Type};

const SOURCE: &str = r#"
use std::collections::HashMap;

mod shop {
    pub static mut COUNTER: u32 = 9;
    #[derive(Debug)]
    pub enum Shape { Circle(f64), Square { side: u16 }, Nothing }
    #[repr(i8)]
    #[derive(Clone, Copy, Debug)]
    pub enum Level { Low = -1, High = 3 }
    #[repr(i64)]
    #[derive(Debug)]
    pub enum Debt { Small(u8) = -5, Large(u16) = 300 }
    #[derive(Debug)]
    pub enum Answer { Maybe(Option<bool>), Never, Always }
    #[repr(u128)]
    #[derive(Clone, Copy, Debug)]
    pub enum Huge { Far = 1 << 100, Near = 2 }
    pub struct Cart<T> { pub items: Vec<T>, pub owner: Option<Box<u32>>, pub letter: char, pub byte: u8 }
    impl<T> Cart<T> {
        #[inline(never)]
        pub fn add(&mut self, item: T, shape: &Shape, level: Level, name: &str) -> usize {
            self.items.push(item);
            unsafe { COUNTER += 1; }
            let fit = match shape { Shape::Square { side } => usize::from(*side), _ => name.len() };
            fit + level as usize
        }
    }
}

fn main() {
    let mut cart = shop::Cart { items: vec![1u64, 2], owner: Some(Box::new(5)), letter: 'x', byte: 7 };
    let shape = shop::Shape::Square { side: 8 };
    let other = [shop::Shape::Circle(1.0), shop::Shape::Nothing];
    let debts = [shop::Debt::Small(1), shop::Debt::Large(2)];
    let answers = [shop::Answer::Maybe(None), shop::Answer::Never, shop::Answer::Always];
    println!("{debts:?} {answers:?} {:?}", [shop::Huge::Far, shop::Huge::Near]);
    let numbers: [u16; 3] = [1, 2, 3];
    let map: HashMap<String, i32> = HashMap::new();
    let size = cart.add(3, &shape, shop::Level::Low, "abc");
    println!("{size} {:?} {:?} {} {}", shop::Level::High, other, numbers.len(), map.len());
}
"#;

fn built() -> Option<Built> {
    build(SOURCE, "rs", "rustc -g --edition 2024 -A warnings -o program {}")
}

#[test]
fn names_are_paths() {
    let Some(built) = built() else { return };
    let stopped = built.stop_at("Cart::add");
    let names = stopped.names();
    assert!(names[0].starts_with("program::shop::") && names[0].contains("Cart"), "{names:?}");
    assert_eq!(names[1], "program::main");
    assert_eq!(stopped.number(&stopped.global("program::shop::COUNTER")), 9);
    assert_eq!(stopped.number(&stopped.local(0, "item")), 3);
    assert_eq!(stopped.program.type_name(stopped.local(0, "self").ty), "&mut program::shop::Cart<u64>");
    assert_eq!(stopped.program.type_name(stopped.local(1, "numbers").ty), "[u16; 3]");
    assert_eq!(stopped.program.type_name(stopped.local(0, "name").ty), "&str");
}

#[test]
fn enums_have_cases_with_their_discriminants() {
    let Some(built) = built() else { return };
    let stopped = built.stop_at("Cart::add");
    let program = &stopped.program;
    let record = |ty| match &*program.ty(ty) {
        Type::Record(record) => record.clone(),
        other => panic!("{other:?}"),
    };
    let cases = |record: &RecordType| {
        let variants = record.variants.clone().unwrap();
        let cases = variants.cases.iter().map(|case| (case.member.name.clone(), case.values.clone()));
        (variants.discriminant.map(|member| program.size(member.ty)), cases.collect::<Vec<_>>())
    };
    let shape = record(stopped.local(1, "shape").ty);
    assert!(shape.is_rust && shape.name == "program::shop::Shape");
    let (size, found) = cases(&shape);
    assert_eq!(size, Some(2));
    let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Circle", "Square", "Nothing"]);
    assert_eq!(found.iter().map(|(_, values)| values.len()).collect::<Vec<_>>(), [1, 1, 1]);

    let cart = record(stopped.local(1, "cart").ty);
    let owner = cart.members.iter().find(|member| member.name == "owner").unwrap();
    let (size, found) = cases(&record(owner.ty));
    assert_eq!(size, Some(8));
    assert_eq!(found, [("None".to_owned(), vec![0]), ("Some".to_owned(), vec![])]);

    let named = |name: &str| cases(&record(program.type_named(name).unwrap()));
    let (size, found) = named("program::shop::Debt");
    assert_eq!(size, Some(8));
    assert_eq!(found, [("Small".to_owned(), vec![-5]), ("Large".to_owned(), vec![300])]);
    let (size, found) = named("program::shop::Answer");
    assert_eq!(size, Some(1));
    let values: Vec<_> = found.iter().map(|(name, values)| (name.as_str(), values.len())).collect();
    assert_eq!(values, [("Maybe", 0), ("Never", 1), ("Always", 1)]);
    let huge = program.ty(program.type_named("program::shop::Huge").unwrap());
    assert!(
        matches!(&*huge, Type::Enumeration { values, size: 16, .. } if values[0].1 == 1 << 100),
        "{huge:?}"
    );

    let Type::Enumeration { values, size: 1, .. } = &*program.ty(stopped.local(0, "level").ty) else {
        panic!()
    };
    assert_eq!(values[..], [("Low".to_owned(), -1), ("High".to_owned(), 3)]);
}

#[test]
fn generic_arguments_and_scalars_are_known() {
    let Some(built) = built() else { return };
    let stopped = built.stop_at("Cart::add");
    let program = &stopped.program;
    let Type::Record(cart) = &*program.ty(stopped.local(1, "cart").ty) else { panic!() };
    assert_eq!(cart.name, "program::shop::Cart<u64>");
    assert_eq!(program.type_name(cart.arguments[0].1), "u64");
    let ty = |name: &str| program.ty(cart.members.iter().find(|member| member.name == name).unwrap().ty);
    assert!(matches!(
        &*ty("letter"),
        Type::Scalar { size: 4, encoding: ScalarEncoding::Character { .. }, .. }
    ));
    assert!(matches!(&*ty("byte"), Type::Scalar { size: 1, encoding: ScalarEncoding::Unsigned, .. }));
    let Type::Record(items) = &*ty("items") else { panic!() };
    assert!(items.name.starts_with("alloc::vec::Vec<u64"), "{}", items.name);
}
