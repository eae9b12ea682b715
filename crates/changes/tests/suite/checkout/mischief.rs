//! What a build or a test does to a tree.

use proptest::prelude::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// What a build or a test does to a tree.
#[derive(Clone, Debug)]
pub(super) enum Mischief {
    Write(&'static str),
    Remove(&'static str),
    Link(&'static str),
    Directory(&'static str),
    Mode(&'static str),
    Lock(&'static str),
    Add(&'static str),
    HardLink(&'static str),
    SameSizeAndTime(&'static str),
}

pub(super) fn mischief() -> impl Strategy<Value = Mischief> {
    let name = || prop::sample::select(vec!["a", "a/b", "a/b/c", "a/d", "a-b", "d", "d/e", "d/f", "x y"]);
    prop_oneof![
        name().prop_map(Mischief::Write),
        name().prop_map(Mischief::Remove),
        name().prop_map(Mischief::Link),
        name().prop_map(Mischief::Directory),
        name().prop_map(Mischief::Mode),
        name().prop_map(Mischief::Lock),
        name().prop_map(Mischief::Add),
        name().prop_map(Mischief::HardLink),
        name().prop_map(Mischief::SameSizeAndTime),
    ]
}

/// Does it to a file that is there, where there is one; `outside` is where links lead to.
pub(super) fn spoil(folder: &Path, mischief: &Mischief, outside: &Path) {
    let remove = |place: &Path| {
        if fs::remove_file(place).is_err() {
            let _ = fs::remove_dir_all(place);
        }
    };
    // Never through a link that was planted before.
    let is_inside = |place: &Path| {
        place.ancestors().skip(1).take_while(|above| *above != folder).all(|above| !above.is_symlink())
    };
    let (Mischief::Write(name)
    | Mischief::Remove(name)
    | Mischief::Link(name)
    | Mischief::Directory(name)
    | Mischief::Mode(name)
    | Mischief::Lock(name)
    | Mischief::Add(name)
    | Mischief::HardLink(name)
    | Mischief::SameSizeAndTime(name)) = mischief;
    let place = folder.join(name);
    if !is_inside(&place) || fs::symlink_metadata(&place).is_err() {
        return;
    }
    match mischief {
        Mischief::Write(_) if place.is_file() && !place.is_symlink() => fs::write(&place, b"spoilt").unwrap(),
        Mischief::Mode(_) if place.is_file() && !place.is_symlink() => {
            let mode = place.metadata().unwrap().permissions().mode();
            fs::set_permissions(&place, PermissionsExt::from_mode(mode ^ 0o111)).unwrap();
        }
        Mischief::Link(_) => {
            remove(&place);
            symlink(outside, &place).unwrap();
        }
        Mischief::Directory(_) if !place.is_dir() => {
            remove(&place);
            fs::create_dir_all(place.join("deep")).unwrap();
        }
        Mischief::Remove(_) => remove(&place),
        Mischief::Lock(_) if place.is_dir() && !place.is_symlink() => {
            fs::set_permissions(&place, PermissionsExt::from_mode(0o500)).unwrap();
        }
        Mischief::Add(_) if place.is_dir() && !place.is_symlink() => {
            fs::create_dir_all(place.join("new/deep")).unwrap();
            fs::write(place.join("new/deep/file"), b"new").unwrap();
            fs::write(place.join("file"), b"new").unwrap();
        }
        // Written through another name, now and after the folder was restored.
        Mischief::HardLink(_) if place.is_file() && !place.is_symlink() => {
            let other = outside.with_extension("linked");
            let _ = fs::remove_file(&other);
            fs::hard_link(&place, other).unwrap();
        }
        Mischief::SameSizeAndTime(_) if place.is_file() && !place.is_symlink() => {
            let found = place.metadata().unwrap();
            let other: Vec<u8> = fs::read(&place).unwrap().iter().map(|byte| byte ^ 1).collect();
            fs::write(&place, other).unwrap();
            let file = fs::File::options().append(true).open(&place).unwrap();
            file.set_modified(found.modified().unwrap()).unwrap();
        }
        _ => {}
    }
}
