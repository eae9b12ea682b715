// A little spreadsheet: `new:1,2` makes a row, `copy:0` copies one, `set:0,1=9` changes a cell; prints all rows and sums.
// pass: new:0,1 copy:0 set:0,1=9
// fail: new:0,0 copy:0 set:0,1=9
// fault: aliasing
// place: print_sheet
// variable: rows\[1\]
// transfer: ((long *)sheet->rows.buf.inner.ptr.pointer.pointer)[1] = ((long *)sheet->rows.buf.inner.ptr.pointer.pointer)[0]
use std::cell::RefCell;
use std::process::exit;
use std::rc::Rc;

type Row = Rc<RefCell<Vec<i64>>>;

struct Sheet {
    rows: Vec<Row>,
    changes: usize,
}

enum Command {
    New(Vec<i64>),
    Copy(usize),
    Set { row: usize, column: usize, value: i64 },
}

fn die(reason: &str, text: &str) -> ! {
    eprintln!("{reason}: {text}");
    exit(2)
}

fn read_number(text: &str) -> i64 {
    match text.trim().parse() {
        Ok(number) => number,
        Err(_) => die("not a number", text),
    }
}

fn read_index(text: &str) -> usize {
    match text.trim().parse() {
        Ok(index) => index,
        Err(_) => die("not an index", text),
    }
}

fn read_set(text: &str) -> Command {
    let Some((cell, value)) = text.split_once('=') else {
        die("a value is missing", text);
    };
    let Some((row, column)) = cell.split_once(',') else {
        die("a column is missing", text);
    };
    Command::Set { row: read_index(row), column: read_index(column), value: read_number(value) }
}

fn read_command(text: &str) -> Command {
    match text.split_once(':') {
        Some(("new", cells)) => Command::New(cells.split(',').map(read_number).collect()),
        Some(("copy", row)) => Command::Copy(read_index(row)),
        Some(("set", rest)) => read_set(rest),
        _ => die("not a command", text),
    }
}

fn new_row(cells: Vec<i64>) -> Row {
    Rc::new(RefCell::new(cells))
}

fn is_blank(row: &Row) -> bool {
    row.borrow().iter().all(|cell| *cell == 0)
}

impl Sheet {
    fn new() -> Sheet {
        Sheet { rows: Vec::with_capacity(8), changes: 0 }
    }

    fn row(&self, index: usize) -> &Row {
        match self.rows.get(index) {
            Some(row) => row,
            None => die("no such row", &index.to_string()),
        }
    }

    fn append(&mut self, row: Row) {
        self.rows.push(row);
        self.changes += 1;
    }

    fn copy_of(&self, index: usize) -> Row {
        let row = self.row(index);
        if is_blank(row) {
            return Rc::clone(row); // FAULT: a new row, blank rows do not stay blank
        }
        new_row(row.borrow().clone())
    }

    fn set(&mut self, row: usize, column: usize, value: i64) {
        let row = self.row(row);
        match row.borrow_mut().get_mut(column) {
            Some(cell) => *cell = value,
            None => die("no such column", &column.to_string()),
        }
        self.changes += 1;
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::New(cells) => self.append(new_row(cells)),
            Command::Copy(index) => {
                let row = self.copy_of(index);
                self.append(row);
            }
            Command::Set { row, column, value } => self.set(row, column, value),
        }
    }
}

fn width(sheet: &Sheet) -> usize {
    let mut width = 0;
    for row in &sheet.rows {
        width = width.max(row.borrow().len());
    }
    width
}

fn is_even(sheet: &Sheet) -> bool {
    sheet.rows.iter().all(|row| row.borrow().len() == width(sheet))
}

fn print_size(sheet: &Sheet) {
    println!("{} rows, {} columns, {} changes", sheet.rows.len(), width(sheet), sheet.changes);
    println!("the largest cell is {}", largest(sheet));
    if !is_even(sheet) {
        println!("some rows are shorter");
    }
}

fn largest(sheet: &Sheet) -> i64 {
    let mut largest = i64::MIN;
    for row in &sheet.rows {
        for cell in row.borrow().iter() {
            largest = largest.max(*cell);
        }
    }
    largest
}

fn sum(row: &Row) -> i64 {
    row.borrow().iter().sum()
}

fn print_row(row: &Row, number: usize) {
    print!("{number}:");
    for cell in row.borrow().iter() {
        print!(" {cell:>4}");
    }
    println!(" | {:>5}", sum(row));
}

fn print_sheet(sheet: &Sheet) {
    let mut total = 0;
    for (number, row) in sheet.rows.iter().enumerate() {
        print_row(row, number);
        total += sum(row);
    }
    println!("total {total}");
}

fn read_all() -> Vec<Command> {
    let commands: Vec<Command> = std::env::args().skip(1).map(|text| read_command(&text)).collect();
    if commands.is_empty() {
        die("usage", "sheet (new:CELLS | copy:ROW | set:ROW,COLUMN=VALUE)...");
    }
    commands
}

fn main() {
    let mut sheet = Sheet::new();
    for command in read_all() {
        sheet.obey(command);
    }
    print_size(&sheet);
    print_sheet(&sheet);
    exit(0);
}
