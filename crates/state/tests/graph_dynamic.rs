//! Objects whose type or place only the object itself tells: virtual bases, trait objects, bits of a vector.

#![allow(clippy::unwrap_used)]

mod second_reader;

use second_reader::build;

const CLASSES: &str = r#"
#include <memory>
#include <vector>
struct Named { int id; virtual ~Named() {} };
struct Sized : virtual Named { int size; };
struct Coloured : virtual Named { int colour; };
struct Circle : Sized, Coloured { int radius; };
struct Shape { virtual int area() const = 0; virtual ~Shape() {} };
namespace flat { struct Disc : Shape { int r; Disc(int r) : r(r) {} int area() const override { return 3 * r * r; } }; }
void stop() {}
int main() {
    Circle circle; circle.size = 1; circle.colour = 2; circle.radius = 3; circle.id = 4;
    Named *named = new Circle(circle);
    Shape *shape = new flat::Disc(5);
    std::vector<bool> flags;
    for (int i = 0; i < 70; i++) flags.push_back(i % 3 == 1);
    std::vector<bool> none;
    stop();
    return named->id + shape->area() + flags[0] + none.size();
}
"#;

#[test]
fn virtual_bases_dynamic_types_and_bits_are_read_as_the_program_means_them() {
    let Some(built) = build("classes.cc", CLASSES, &["-O0"]) else { return };
    let stopped = built.stopped_at("stop", &[]);
    for (expression, value) in [
        ("circle.id", "4"),
        ("circle.size", "1"),
        ("circle.colour", "2"),
        ("named->id", "4"),
        ("named->radius", "3"),
        ("shape", "&Disc {r = 5}"),
        ("flags[0]", "false"),
        ("flags[1]", "true"),
        ("flags[67]", "true"),
        ("flags[69]", "false"),
        ("none", "{}"),
    ] {
        assert_eq!(stopped.value(expression), value, "{expression}");
    }
    assert!(stopped.value("flags[70]").starts_with("no "));
}

const TRAITS: &str = r#"
use std::rc::Rc;
trait Shape { fn area(&self) -> i64; }
struct Circle { radius: i64 }
struct Square { side: i64, label: String }
impl Shape for Circle { fn area(&self) -> i64 { 3 * self.radius * self.radius } }
impl Shape for Square { fn area(&self) -> i64 { self.side * self.side + self.label.len() as i64 } }
#[inline(never)]
fn stop() {}
fn main() {
    let shapes: Vec<Box<dyn Shape>> =
        vec![Box::new(Circle { radius: 2 }), Box::new(Square { side: 3, label: "three".to_string() })];
    let local = Circle { radius: 7 };
    let borrowed: &dyn Shape = &local;
    let shared: Rc<dyn Shape> = Rc::new(Circle { radius: 9 });
    stop();
    std::process::exit((shapes[0].area() + shapes[1].area() + borrowed.area() + shared.area()) as i32 % 7);
}
"#;

#[test]
fn a_trait_object_is_read_as_the_type_that_it_is() {
    let Some(built) = build("traits.rs", TRAITS, &[]) else { return };
    let stopped = built.stopped_at("traits::stop", &[]);
    for (expression, value) in [
        ("shapes[0].radius", "2"),
        ("shapes[1].label", "\"three\""),
        ("shapes[0]", "&Circle {radius = 2}"),
        ("local.radius", "7"),
        ("shared.radius", "9"),
    ] {
        assert_eq!(stopped.value(expression), value, "{expression}");
    }
}
