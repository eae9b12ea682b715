// Adds up a column of a table with commas and quotes from the standard input; the first row names the columns.
// pass-stdin: article,pieces\nbolt,"12 "\nnut,7\n
// fail-stdin: article,pieces\nbolt," 12"\nnut,7\n
// fault: off by one
// place: print_total
// variable: rows\[0\]\.cells\[1\]
// transfer: ((long *)((long *)table->rows.buf.inner.ptr.pointer.pointer)[1])[5] = 1
use std::fmt;
use std::io::Read;

struct Row {
    cells: Vec<String>,
}

struct Table {
    header: Row,
    rows: Vec<Row>,
}

struct Splitter<'a> {
    line: &'a str,
    position: usize,
}

#[derive(Debug, PartialEq)]
enum Problem {
    Empty,
    Unclosed(usize),
    Uneven(usize),
    NoColumn(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Empty => write!(f, "there is no table"),
            Problem::Unclosed(line) => write!(f, "line {line}: a quote is not closed"),
            Problem::Uneven(line) => write!(f, "line {line}: too many or too few cells"),
            Problem::NoColumn(name) => write!(f, "no such column: {name}"),
        }
    }
}

impl<'a> Splitter<'a> {
    fn new(line: &'a str) -> Splitter<'a> {
        Splitter { line, position: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.line[self.position..]
    }

    fn quoted(&mut self) -> Option<String> {
        let begin = self.position + 1;
        let length = self.line[begin..].find('"')?;
        self.position = begin + length + 1;
        let inner = &self.line[begin..self.position - 2]; // FAULT: self.position - 1
        Some(inner.to_string())
    }

    fn plain(&mut self) -> String {
        let length = self.rest().find(',').unwrap_or(self.rest().len());
        let cell = self.rest()[..length].to_string();
        self.position += length;
        cell
    }

    fn skip_comma(&mut self) -> bool {
        let has_comma = self.rest().starts_with(',');
        if has_comma {
            self.position += 1;
        }
        has_comma
    }
}

fn read_row(line: &str, number: usize) -> Result<Row, Problem> {
    let mut splitter = Splitter::new(line);
    let mut cells = Vec::new();
    loop {
        let cell = if splitter.rest().starts_with('"') {
            splitter.quoted().ok_or(Problem::Unclosed(number))?
        } else {
            splitter.plain()
        };
        cells.push(cell);
        if !splitter.skip_comma() {
            break;
        }
    }
    Ok(Row { cells })
}

fn read_table(text: &str) -> Result<Table, Problem> {
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        rows.push(read_row(line, index + 1)?);
    }
    if rows.is_empty() {
        return Err(Problem::Empty);
    }
    let header = rows.remove(0);
    Ok(Table { header, rows })
}

fn check(table: &Table) -> Result<(), Problem> {
    for (index, row) in table.rows.iter().enumerate() {
        if row.cells.len() != table.header.cells.len() {
            return Err(Problem::Uneven(index + 2));
        }
    }
    Ok(())
}

fn column_of(table: &Table, name: &str) -> Result<usize, Problem> {
    for (index, cell) in table.header.cells.iter().enumerate() {
        if cell == name {
            return Ok(index);
        }
    }
    Err(Problem::NoColumn(name.to_string()))
}

fn longest_name(table: &Table) -> usize {
    let mut longest = 0;
    for row in &table.rows {
        longest = longest.max(row.cells[0].len());
    }
    longest
}

fn has_doubles(table: &Table) -> bool {
    for (index, row) in table.rows.iter().enumerate() {
        if table.rows[..index].iter().any(|other| other.cells[0] == row.cells[0]) {
            return true;
        }
    }
    false
}

fn print_header(table: &Table) {
    println!("{} rows of {}", table.rows.len(), table.header.cells.join(" and "));
    if has_doubles(table) {
        println!("some articles are there twice");
    }
}

fn number_in(row: &Row, column: usize) -> i64 {
    row.cells[column].trim().parse().unwrap_or(0)
}

fn print_bar(name: &str, number: i64, width: usize) {
    print!("{name:<width$} ");
    for _ in 0..number {
        print!("*");
    }
    println!(" {number}");
}

fn print_total(table: &Table, column: usize, width: usize) {
    let mut total = 0;
    for row in &table.rows {
        let number = number_in(row, column);
        print_bar(&row.cells[0], number, width);
        total += number;
    }
    println!("total: {total}");
}

fn add_up(text: &str) -> Result<(), Problem> {
    let table = read_table(text)?;
    check(&table)?;
    let column = column_of(&table, "pieces")?;
    let width = longest_name(&table);
    print_header(&table);
    print_total(&table, column, width);
    Ok(())
}

fn main() {
    let mut text = String::new();
    if std::io::stdin().read_to_string(&mut text).is_err() {
        eprintln!("the input is not text");
        std::process::exit(2);
    }
    if let Err(problem) = add_up(&text) {
        eprintln!("{problem}");
        std::process::exit(1);
    }
}
