//! Loads the debug information of a program and says how long it took: `loading PROGRAM [DEBUG-FOLDER…]`.

use howcome_state::debug::{Loaded, Program};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let path = arguments.next().ok_or("which program?")?;
    let folders: Vec<_> = arguments.map(Into::into).collect();
    let start = Instant::now();
    let program = Program::load(&[Loaded { path: path.into(), bias: 0 }], &folders)?;
    let loaded = start.elapsed();
    println!("{} entries in {loaded:?}, {} MB", program.entries(), resident());
    println!("{} functions after {:?}, {} MB", program.functions().len(), start.elapsed(), resident());
    let globals = program.globals(&howcome_state::Snapshot::default());
    println!("{} globals after {:?}, {} MB", globals.len(), start.elapsed(), resident());
    let none = program.type_named("none of these");
    assert_eq!(none, None);
    println!("types by name after {:?}, {} MB", start.elapsed(), resident());
    Ok(())
}

/// What this process has had in memory at most, in megabytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or(0) / 1024
}
