//! Follows a route over a plan of streets and prints how long it is: route N3 E2 S1
#[derive(Debug)]
enum Step {
    North(i32),
    East(i32),
    South(i32),
    Stay,
}

struct Walker {
    at: (i32, i32),
    steps: Vec<Step>,
}

fn parse(text: &str) -> Step {
    let length = text[1..].parse().unwrap_or(0);
    match &text[..1] {
        "N" => Step::North(length),
        "E" => Step::East(length),
        "S" if length > 1 => Step::South(length),
        _ => Step::Stay,
    }
}

fn read() -> Vec<Step> {
    std::env::args().skip(1).map(|text| parse(&text)).collect()
}

fn walk(walker: &mut Walker) {
    for step in &walker.steps {
        match step {
            Step::North(length) => walker.at.1 += length,
            Step::East(length) => walker.at.0 += length,
            Step::South(length) => walker.at.1 -= length,
            Step::Stay => {}
        }
    }
}

fn print(walker: &Walker) {
    println!("{} streets", walker.at.0.abs() + walker.at.1.abs());
}

fn main() {
    let mut walker = Walker { at: (0, 0), steps: read() };
    walk(&mut walker);
    print(&walker);
}
