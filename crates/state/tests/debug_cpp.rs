//! Debug information of C++ programs.

#![allow(clippy::unwrap_used)]

#[path = "debug/built.rs"]
#[allow(dead_code)]
mod built;

use built::{Built, build};
use howcome_state::debug::Type;

const SOURCE: &str = r#"#include <vector>

namespace shop {
namespace { int hidden = 11; }
struct Shape { virtual ~Shape() {} virtual int area() const { return 1; } int colour = 3; };
struct Named { const char *name = "x"; };
struct Square : Shape, Named { int side = 4; int area() const override { return side * side; } };
struct Shared { int s = 1; };
struct Left : virtual Shared { int l = 2; };
enum class Mood : unsigned char { Calm, Cross = 9 };

template <typename T> struct Box {
    T content;
    static int made;
    struct Lid { T weight; } lid;
    T get() const { return content; }
};
template <typename T> int Box<T>::made = 5;

class Cart {
public:
    int add(int price);
    static int carts;
private:
    int total = 0;
    std::vector<int> prices;
};
int Cart::carts = 77;

int Cart::add(int price) {
    static int calls = 1;
    struct Local { int a, b; } local = { price, calls };
    total += local.a;
    prices.push_back(price);
    return total;
}
}

std::vector<char> letters;
shop::Box<int> box;
shop::Square square;
shop::Left left;
shop::Mood mood = shop::Mood::Cross;
template <typename... Ts> struct Pack { int count = sizeof...(Ts); };
Pack<int, double> pack;
void (shop::Cart::*unused)(int) = nullptr;

static int apply(int &value, int &&other, shop::Cart &cart) {
    auto twice = [&value](int by) { return value * by; };
    value = twice(other);
    return cart.add(value);
}

int main() {
    shop::Cart cart;
    int value = 21;
    box.content = shop::Box<int>::made + shop::hidden;
    return apply(value, 2, cart) + (int)box.get() + pack.count + (unused != nullptr);
}
"#;

fn check(command: &str) {
    let Some(built) = build(SOURCE, "cc", command) else { return };
    names_are_qualified(&built);
    classes_have_bases_and_no_static_members(&built);
    templates_have_arguments(&built);
    references_and_lambdas_are_seen(&built);
}

#[test]
fn what_gcc_says_is_understood() {
    check("g++ -g -O0 -o program {}");
}

#[test]
fn what_gcc_says_in_the_older_version_is_understood() {
    check("g++ -g -gdwarf-4 -O0 -no-pie -o program {}");
}

#[test]
fn what_gcc_says_in_type_units_is_understood() {
    check("g++ -g -fdebug-types-section -O0 -o program {}");
}

#[test]
fn what_gcc_says_in_the_older_type_units_is_understood() {
    check("g++ -g -gdwarf-4 -fdebug-types-section -O0 -o program {}");
}

#[test]
fn what_clang_says_is_understood() {
    check("clang++ -g -O0 -fstandalone-debug -o program {}");
}

fn names_are_qualified(built: &Built) {
    let stopped = built.stop_at("Cart::add");
    assert_eq!(stopped.names()[..3], ["shop::Cart::add", "apply", "main"]);
    assert_eq!(stopped.number(&stopped.global("shop::(anonymous namespace)::hidden")), 11);
    assert_eq!(stopped.number(&stopped.global("shop::Cart::carts")), 77);
    assert_eq!(stopped.number(&stopped.global("shop::Box<int>::made")), 5);
    let calls = stopped.global("calls");
    assert_eq!(calls.function.as_deref(), Some("shop::Cart::add"));
    assert_eq!(stopped.program.type_name(stopped.local(0, "local").ty), "shop::Cart::add::Local");
    assert_eq!(stopped.program.type_name(stopped.local(0, "this").ty), "shop::Cart *");
    assert_eq!(stopped.number(&stopped.local(0, "price")), 42);
}

fn classes_have_bases_and_no_static_members(built: &Built) {
    let stopped = built.stop_at("Cart::add");
    let program = &stopped.program;
    let Type::Record(square) = &*program.ty(stopped.global("square").ty) else { panic!() };
    let members: Vec<_> =
        square.members.iter().map(|member| (member.name.as_str(), member.is_base, member.offset)).collect();
    assert_eq!(members, [("shop::Shape", true, 0), ("shop::Named", true, 16), ("side", false, 24)]);
    let Type::Record(shape) = &*program.ty(square.members[0].ty) else { panic!() };
    assert!(shape.members[0].name.starts_with("_vptr") && shape.members[0].is_artificial);
    let Type::Record(cart) = &*program.ty(program.type_named("shop::Cart").unwrap()) else { panic!() };
    assert_eq!(
        cart.members.iter().map(|member| member.name.as_str()).collect::<Vec<_>>(),
        ["total", "prices"]
    );
    // A virtual base is elsewhere in each class that derives from this one.
    let Type::Record(left) = &*program.ty(stopped.global("left").ty) else { panic!() };
    assert!(left.members.iter().all(|member| !member.is_base), "{left:?}");
}

fn templates_have_arguments(built: &Built) {
    let stopped = built.stop_at("Cart::add");
    let program = &stopped.program;
    let Type::Record(cell) = &*program.ty(stopped.global("box").ty) else { panic!() };
    assert_eq!(cell.name, "shop::Box<int>");
    let arguments: Vec<_> =
        cell.arguments.iter().map(|(name, ty)| (name.as_str(), program.type_name(*ty))).collect();
    assert_eq!(arguments, [("T", "int".to_owned())]);
    assert_eq!(program.type_name(cell.members[1].ty), "shop::Box<int>::Lid");
    let Type::Record(pack) = &*program.ty(stopped.global("pack").ty) else { panic!() };
    let arguments: Vec<_> = pack.arguments.iter().map(|(_, ty)| program.type_name(*ty)).collect();
    assert_eq!(arguments, ["int", "double"]);
    let Type::Record(letters) = &*program.ty(stopped.global("letters").ty) else { panic!() };
    assert!(letters.name.starts_with("std::vector<char"), "{}", letters.name);
    assert_eq!(letters.arguments[0].0, "_Tp");
    let Type::Enumeration { size: 1, values, .. } = &*program.ty(stopped.global("mood").ty) else { panic!() };
    assert_eq!(values[1], ("Cross".to_owned(), 9));
}

fn references_and_lambdas_are_seen(built: &Built) {
    let stopped = built.stop(&[], |program| {
        let functions = program.functions().iter();
        let lambda = functions.into_iter().find(|function| function.name.contains("operator()")).unwrap();
        lambda.body
    });
    assert_eq!(stopped.number(&stopped.local(0, "by")), 2);
    let value = stopped.local(1, "value");
    let Type::Pointer { is_reference: true, .. } = &*stopped.program.ty(value.ty) else { panic!() };
    assert_eq!(stopped.program.type_name(value.ty), "int &");
    assert_eq!(stopped.program.type_name(stopped.local(1, "other").ty), "int &&");
    let main = stopped.local(2, "value");
    assert_eq!(stopped.number(&value), main.at.0);
}

#[test]
fn optimised_programs_show_what_is_left() {
    let Some(built) = build(SOURCE, "cc", "g++ -g -O2 -fno-inline -o program {}") else { return };
    let stopped = built.stop_at("Cart::add");
    assert_eq!(stopped.names()[0], "shop::Cart::add");
    let price = stopped.local(0, "price");
    assert_eq!(stopped.snapshot.number(price.at, 4), Some(42));
    assert!(price.at.register().is_some());
}
