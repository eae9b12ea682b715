//! The same check for many programs.

use super::header::Seeded;

/// Does something with each program, on two threads; tells all that is wrong.
pub(crate) fn for_each(programs: &[Seeded], check: impl Fn(&Seeded) -> Result<(), String> + Sync) {
    let (left, right) = programs.split_at(programs.len() / 2);
    let work = |part: &[Seeded]| -> Vec<String> {
        let wrong = |seeded: &Seeded| check(seeded).err().map(|wrong| format!("{}: {wrong}", seeded.name));
        part.iter().filter_map(wrong).collect()
    };
    let wrong = std::thread::scope(|scope| {
        let other = scope.spawn(|| work(right));
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
