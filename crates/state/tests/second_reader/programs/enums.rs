// Enums with and without content, nested ones, niches, references, generic structs, trees of boxes, arrays of enums.
#[derive(Debug, Clone, PartialEq)]
enum Token { Number(i64), Word(String), Plus, Pair { left: u8, right: u16 } }
#[derive(Debug)]
enum Tree { Leaf, Node(Box<Tree>, i32, Box<Tree>) }
#[derive(Debug, Clone, Copy)]
#[repr(i8)]
enum Level { Low = -3, High = 5 }
#[derive(Debug)]
struct Wrapper<T> { inner: T, count: usize }
#[derive(Debug)]
struct Parser<'a> { tokens: Vec<Token>, at: usize, source: &'a str, levels: [Level; 2], nested: Option<Option<bool>>, flag: Result<(), u32> }
fn insert(tree: Tree, key: i32) -> Tree {
    match tree {
        Tree::Leaf => Tree::Node(Box::new(Tree::Leaf), key, Box::new(Tree::Leaf)),
        Tree::Node(left, here, right) if key < here => Tree::Node(Box::new(insert(*left, key)), here, right),
        Tree::Node(left, here, right) => Tree::Node(left, here, Box::new(insert(*right, key))),
    }
}
#[inline(never)]
fn stop(parser: &Parser, tree: &Tree, wrapper: &Wrapper<Option<&Token>>) -> usize {
    println!("{parser:?} {tree:?} {wrapper:?}");
    parser.at
}
fn main() {
    let parser = Parser {
        tokens: vec![Token::Number(-4), Token::Word("name".to_string()), Token::Plus, Token::Pair { left: 1, right: 2 }],
        at: 2, source: "-4 name + (1, 2)", levels: [Level::Low, Level::High], nested: Some(None), flag: Err(9),
    };
    let mut tree = Tree::Leaf;
    for key in [5, 2, 8, 1, 3] { tree = insert(tree, key); }
    let wrapper = Wrapper { inner: Some(&parser.tokens[1]), count: 3 };
    let ratio = 2.5f32;
    let letter = 'λ';
    let used = stop(&parser, &tree, &wrapper);
    println!("{used} {ratio} {letter}");
}
