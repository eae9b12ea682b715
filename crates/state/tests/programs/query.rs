// A query over a table of people: `column comparison value`; reads the query, filters the rows, prints what is left.
// pass: age ">" 30
// fail: age "!=" 30
// fault: wrong enum variant
// place: print_rows
// variable: comparison$
// transfer: query->comparison = 0
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    Greater,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Column {
    Age,
    Height,
}

struct Query {
    column: Column,
    comparison: Comparison,
    value: i32,
}

struct Person {
    name: String,
    age: i32,
    height: i32,
}

#[derive(Debug)]
enum Problem {
    TooShort,
    NoColumn(String),
    NoComparison(String),
    NoNumber(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::TooShort => write!(f, "usage: query COLUMN COMPARISON VALUE"),
            Problem::NoColumn(text) => write!(f, "no such column: {text}"),
            Problem::NoComparison(text) => write!(f, "no such comparison: {text}"),
            Problem::NoNumber(text) => write!(f, "not a number: {text}"),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Column::Age => write!(f, "age"),
            Column::Height => write!(f, "height"),
        }
    }
}

impl Person {
    fn new(name: &str, age: i32, height: i32) -> Person {
        Person { name: name.to_string(), age, height }
    }

    fn value_of(&self, column: Column) -> i32 {
        match column {
            Column::Age => self.age,
            Column::Height => self.height,
        }
    }
}

fn read_column(text: &str) -> Result<Column, Problem> {
    match text {
        "age" => Ok(Column::Age),
        "height" => Ok(Column::Height),
        _ => Err(Problem::NoColumn(text.to_string())),
    }
}

fn read_comparison(text: &str) -> Result<Comparison, Problem> {
    let is_negated = text.starts_with('!');
    let letter = text.trim_start_matches('!');
    match letter {
        "=" => Ok(Comparison::Equal), // FAULT: Unequal if it is negated
        "<>" if !is_negated => Ok(Comparison::Unequal),
        "<" if !is_negated => Ok(Comparison::Less),
        ">" if !is_negated => Ok(Comparison::Greater),
        _ => Err(Problem::NoComparison(text.to_string())),
    }
}

fn read_value(text: &str) -> Result<i32, Problem> {
    text.parse().map_err(|_| Problem::NoNumber(text.to_string()))
}

fn read_query(words: &[String]) -> Result<Query, Problem> {
    if words.len() < 3 {
        return Err(Problem::TooShort);
    }
    let column = read_column(&words[0])?;
    let comparison = read_comparison(&words[1])?;
    let value = read_value(&words[2])?;
    Ok(Query { column, comparison, value })
}

fn table() -> Vec<Person> {
    vec![
        Person::new("Ada", 36, 170),
        Person::new("Alan", 41, 178),
        Person::new("Grace", 30, 166),
        Person::new("Edsger", 28, 181),
        Person::new("Barbara", 30, 172),
    ]
}

fn is_sorted(rows: &[Person], column: Column) -> bool {
    rows.windows(2).all(|pair| pair[0].value_of(column) <= pair[1].value_of(column))
}

fn sort(rows: &mut [Person], column: Column) {
    rows.sort_by(|a, b| a.value_of(column).cmp(&b.value_of(column)));
}

fn range(rows: &[Person], column: Column) -> (i32, i32) {
    let mut lowest = i32::MAX;
    let mut highest = i32::MIN;
    for row in rows {
        lowest = lowest.min(row.value_of(column));
        highest = highest.max(row.value_of(column));
    }
    (lowest, highest)
}

fn print_plan(query: &Query, rows: &[Person]) {
    let (lowest, highest) = range(rows, query.column);
    println!("{} rows with {} from {lowest} to {highest}", rows.len(), query.column);
}

fn matches(query: &Query, row: &Person) -> bool {
    let value = row.value_of(query.column);
    match query.comparison {
        Comparison::Equal => value == query.value,
        Comparison::Unequal => value != query.value,
        Comparison::Less => value < query.value,
        Comparison::Greater => value > query.value,
    }
}

fn print_row(row: &Person) {
    println!("{:<8} {:>3} {:>4}", row.name, row.age, row.height);
}

fn print_rows(query: &Query, rows: &[Person]) {
    let mut count = 0;
    for row in rows {
        if matches(query, row) {
            print_row(row);
            count += 1;
        }
    }
    println!("{count} found");
}

fn answer(words: &[String]) -> Result<(), Problem> {
    let query = read_query(words)?;
    let mut rows = table();
    sort(&mut rows, query.column);
    if !is_sorted(&rows, query.column) {
        return Err(Problem::NoColumn(query.column.to_string()));
    }
    print_plan(&query, &rows);
    print_rows(&query, &rows);
    Ok(())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Err(problem) = answer(&words) {
        eprintln!("{problem}");
        std::process::exit(2);
    }
}
