//! The same check for many programs.

use super::header::Seeded;

/// Checks each program, on two threads, and reports everything that is wrong. Both threads have the test's name, so that a
/// program that is skipped is recorded with it.
pub(crate) fn for_each(programs: &[Seeded], check: impl Fn(&Seeded) -> Result<(), String> + Sync) {
    let (left, right) = programs.split_at(programs.len() / 2);
    let work = |part: &[Seeded]| -> Vec<String> {
        let wrong = |seeded: &Seeded| check(seeded).err().map(|wrong| format!("{}: {wrong}", seeded.name));
        part.iter().filter_map(wrong).collect()
    };
    let wrong = std::thread::scope(|scope| {
        let name = std::thread::current().name().unwrap_or("main").to_owned();
        let other = std::thread::Builder::new().name(name).spawn_scoped(scope, || work(right)).unwrap();
        let mut wrong = work(left);
        wrong.extend(other.join().unwrap());
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is wrong if something does not hold.
pub(crate) fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}
