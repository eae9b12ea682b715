use std::collections::{BTreeMap, HashMap, HashSet, VecDeque, BTreeSet};
use std::rc::Rc;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
#[derive(Debug)]
enum Shape { Circle { radius: f64 }, Square(u32, u32), Empty }
#[derive(Debug, Clone, Copy)]
enum Colour { Red, Green = 7 }
#[derive(Debug)]
struct Node { id: u32, next: Option<Box<Node>> }
struct All<'a> {
    numbers: Vec<i32>, name: String, slice: &'a [i32], text: &'a str, boxed: Box<u64>, rc: Rc<Node>, arc: Arc<String>,
    cell: Cell<i32>, refcell: RefCell<Vec<u8>>, some: Option<u32>, none: Option<u32>, niche: Option<Box<u32>>, nothing: Option<Box<u32>>,
    map: HashMap<String, i32>, set: HashSet<u32>, tree: BTreeMap<u32, String>, btset: BTreeSet<char>, deque: VecDeque<i16>,
    shapes: Vec<Shape>, colour: Colour, green: Colour, list: Option<Box<Node>>, array: [u16; 3], tuple: (u8, char, bool), unit: (), result: Result<u8, String>,
    big: BTreeMap<u32, u32>, dynamic: Box<dyn Fn(i32) -> i32>, empty: Vec<u32>,
}
static mut COUNTER: u32 = 5;
#[inline(never)]
fn stop(all: &All, n: usize) { println!("{:?} {}", all.numbers, n); }
fn main() {
    let data = [10, 20, 30, 40];
    unsafe { COUNTER += 1; }
    let mut all = All {
        numbers: vec![1, 2, 3], name: String::from("a name"), slice: &data[1..3], text: "static text", boxed: Box::new(77),
        rc: Rc::new(Node { id: 5, next: None }), arc: Arc::new("shared".into()), cell: Cell::new(-4), refcell: RefCell::new(vec![1, 2]),
        some: Some(3), none: None, niche: Some(Box::new(6)), nothing: None, map: HashMap::new(), set: HashSet::new(), tree: BTreeMap::new(),
        btset: "hello".chars().collect(), deque: VecDeque::new(), shapes: vec![Shape::Circle { radius: 1.5 }, Shape::Square(2, 3), Shape::Empty],
        colour: Colour::Red, green: Colour::Green, list: None, array: [1, 2, 3], tuple: (1, 'ß', true), unit: (), result: Err("bad".into()),
        big: (0..100).map(|i| (i, i * i)).collect(), dynamic: Box::new(move |x| x + 1), empty: Vec::new(),
    };
    for (i, word) in ["one", "two", "three"].iter().enumerate() { all.map.insert(word.to_string(), i as i32); all.set.insert(i as u32 * 10); all.tree.insert(i as u32, word.to_string()); }
    for i in 0..5 { all.deque.push_back(i); }
    all.deque.pop_front(); all.deque.push_front(-1); all.deque.push_front(-2);
    for i in 0..3 { let next = all.list.take(); all.list = Some(Box::new(Node { id: i, next })); }
    stop(&all, data.len());
    println!("{:?} {:?}", all.shapes, all.green);
}
