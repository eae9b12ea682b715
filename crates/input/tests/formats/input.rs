//! Shapes and their areas.
use std::collections::HashMap;
use std::fmt;

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Circle { radius: f64 },
    Square(f64),
    Nothing,
}

pub trait Area {
    const UNIT: &'static str = "m2";
    fn area(&self) -> f64;
}

impl Area for Shape {
    fn area(&self) -> f64 {
        match self {
            Shape::Circle { radius } if *radius > 0.0 => std::f64::consts::PI * radius.powi(2),
            Shape::Square(side) => side * side,
            _ => 0.0,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {:.1} {}", self, self.area(), Self::UNIT)
    }
}

fn largest<'a, T: Area + ?Sized>(shapes: impl IntoIterator<Item = &'a T>) -> Option<&'a T> {
    shapes.into_iter().max_by(|one, other| one.area().total_cmp(&other.area()))
}

macro_rules! square {
    ($side:expr) => { Shape::Square($side as f64) };
}

fn main() {
    let mut names: HashMap<String, Shape> = HashMap::new();
    names.insert("pool".to_owned(), square!(3));
    names.insert(String::from("pond"), Shape::Circle { radius: 1.5 });
    let mut count = 0_u32;
    while let Some(shape) = names.values().nth(count as usize) {
        println!("{shape}");
        count += 1;
    }
    if let Some(shape) = largest(names.values()) {
        assert_ne!(*shape, Shape::Nothing, "there is one");
    }
}
