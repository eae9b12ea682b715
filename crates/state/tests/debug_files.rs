//! Debug information that is compressed, split off, shared or missing.

#![allow(clippy::unwrap_used)]

#[path = "debug/built.rs"]
#[allow(dead_code)]
mod built;

use built::{Built, build, run};
use howcome_state::debug::{DebugError, Loaded, Program};
use howcome_testing::{need_program, skip};
use std::fs;
use std::path::{Path, PathBuf};

const SOURCE: &str = "
struct point { int x, y; };
struct point origin = { 3, 4 };
int add(struct point *at, int by) { int sum = at->x + by; return sum; }
int main(void) { return add(&origin, 39) - 42; }
";

fn words(command: &str) -> Vec<String> {
    command.split_whitespace().map(str::to_owned).collect()
}

fn in_folder(built: &Built, command: &str) -> Option<String> {
    run(built.folder.path(), &words(command))
}

/// Checks a type, a function and a line: everything that the program has.
fn is_complete(built: &Built, folders: &[PathBuf]) {
    let stopped = built.stop(folders, |program| program.function(program.functions_named("add")[0]).body);
    assert_eq!(stopped.names()[..2], ["add", "main"]);
    assert_eq!(stopped.number(&stopped.local(0, "by")), 39);
    let origin = stopped.global("origin");
    assert_eq!(stopped.program.type_name(origin.ty), "struct point");
    let (at, _) = stopped.member(&origin, "y");
    assert_eq!(stopped.snapshot.number(at, 4), Some(4));
    assert_eq!(stopped.program.line_at(stopped.frames[0].pc).unwrap().line, 4);
    assert_eq!(origin.file, "program.c");
}

fn load(path: &Path, folders: &[PathBuf]) -> Result<Program, DebugError> {
    Program::load(&[Loaded { path: path.to_owned(), bias: 0 }], folders)
}

#[test]
fn compressed_sections_are_read() {
    for kind in ["zlib", "zlib-gnu", "zstd"] {
        let Some(built) = build(SOURCE, "c", "gcc -g -O0 -o program {}") else { return };
        let command = format!("objcopy --compress-debug-sections={kind} program");
        if !need_program("objcopy") {
            return;
        }
        let output = std::process::Command::new("objcopy").arg("--help").output().unwrap();
        if kind == "zstd" && !String::from_utf8_lossy(&output.stdout).contains("zstd") {
            skip("objcopy does not know zstd");
            continue;
        }
        let output = std::process::Command::new("objcopy")
            .args(&words(&command)[1..])
            .current_dir(built.folder.path())
            .output();
        let output = output.unwrap();
        if !output.status.success() {
            skip(String::from_utf8_lossy(&output.stderr).trim());
            continue;
        }
        is_complete(&built, &[]);
    }
}

#[test]
fn a_separate_file_is_found_by_its_link() {
    for place in ["program.debug", ".debug/program.debug"] {
        let Some(built) = build(SOURCE, "c", "gcc -g -O0 -o program {}") else { return };
        fs::create_dir(built.folder.path().join(".debug")).unwrap();
        if in_folder(&built, "objcopy --only-keep-debug program program.debug").is_none() {
            return;
        }
        in_folder(&built, "strip program");
        in_folder(&built, "objcopy --add-gnu-debuglink=program.debug program");
        if place != "program.debug" {
            fs::rename(built.folder.path().join("program.debug"), built.folder.path().join(place)).unwrap();
        }
        is_complete(&built, &[]);
    }
}

#[test]
fn a_separate_file_is_found_by_its_build_id_and_by_its_path_under_the_debug_folder() {
    let Some(built) = build(SOURCE, "c", "gcc -g -O0 -Wl,--build-id=0xabcdef0123 -o program {}") else {
        return;
    };
    let folder = built.folder.path();
    fs::create_dir_all(folder.join("debug/.build-id/ab")).unwrap();
    if in_folder(&built, "objcopy --only-keep-debug program debug/.build-id/ab/cdef0123.debug").is_none() {
        return;
    }
    in_folder(&built, "strip program");
    let looked_in = match load(&built.program, &[]) {
        Err(DebugError::None { looked_in, stripped: true, .. }) => looked_in,
        other => panic!("{other:?}"),
    };
    assert!(looked_in.is_empty());
    is_complete(&built, &[folder.join("debug")]);

    // The same file in the folder that mirrors the program's own.
    let whole = fs::canonicalize(folder).unwrap();
    let mirrored = folder.join("other").join(whole.strip_prefix("/").unwrap());
    fs::create_dir_all(&mirrored).unwrap();
    fs::rename(folder.join("debug/.build-id/ab/cdef0123.debug"), mirrored.join("program.debug")).unwrap();
    fs::copy(mirrored.join("program.debug"), folder.join("program.debug")).unwrap();
    in_folder(&built, "objcopy --add-gnu-debuglink=program.debug program");
    fs::remove_file(folder.join("program.debug")).unwrap();
    match load(&built.program, &[folder.join("debug")]) {
        Err(DebugError::None { looked_in, .. }) => {
            assert!(
                looked_in.iter().any(|path| path.ends_with("debug/.build-id/ab/cdef0123.debug")),
                "{looked_in:?}"
            );
            assert!(looked_in.iter().any(|path| path.ends_with(".debug/program.debug")), "{looked_in:?}");
        }
        other => panic!("{other:?}"),
    }
    is_complete(&built, &[folder.join("other")]);
}

#[test]
fn a_separate_file_of_another_build_is_not_taken() {
    let Some(built) = build(SOURCE, "c", "gcc -g -O0 -Wl,--build-id=none -o program {}") else { return };
    if in_folder(&built, "objcopy --only-keep-debug program program.debug").is_none() {
        return;
    }
    in_folder(&built, "strip program");
    in_folder(&built, "objcopy --add-gnu-debuglink=program.debug program");
    is_complete(&built, &[]);
    let file = built.folder.path().join("program.debug");
    let mut bytes = fs::read(&file).unwrap();
    bytes.push(0);
    fs::write(&file, bytes).unwrap();
    assert!(matches!(load(&built.program, &[]), Err(DebugError::None { .. })));
}

#[test]
fn split_files_are_read_one_by_one_and_packed() {
    for command in [
        "gcc -g -O0 -gsplit-dwarf -o program {}",
        "gcc -g -O0 -gdwarf-4 -gsplit-dwarf -o program {}",
        "clang -g -O0 -gsplit-dwarf -c {}",
        "gcc -g -O0 -gsplit-dwarf -fdebug-types-section -o program {}",
    ] {
        eprintln!("{command}");
        let Some(built) = build(SOURCE, "c", command) else { continue };
        if command.starts_with("clang") {
            in_folder(&built, "clang -o program program.o");
        }
        is_complete(&built, &[]);
        // Each of the two packers supports only one of the versions well.
        let packer = if command.contains("dwarf-4") { "dwp" } else { "llvm-dwp" };
        if in_folder(&built, &format!("{packer} -e program -o program.dwp")).is_none() {
            continue;
        }
        for file in fs::read_dir(built.folder.path()).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|extension| extension == "dwo") {
                fs::remove_file(file).unwrap();
            }
        }
        is_complete(&built, &[]);
        fs::remove_file(built.folder.path().join("program.dwp")).unwrap();
        match load(&built.program, &[]) {
            Err(DebugError::None { looked_in, stripped: false, .. }) => {
                assert!(
                    looked_in.iter().any(|path| path.extension().is_some_and(|extension| extension == "dwo"))
                );
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_several_programs_share_is_read_from_the_supplementary_file() {
    let Some(built) = build(SOURCE, "c", "gcc -g -O0 -o program {}") else { return };
    // The tool shares only entries that are long enough.
    let members: String = (0..60).map(|number| format!("int a_member_with_a_long_name_{number};")).collect();
    let source = format!("struct shared {{ {members} }} shared; {SOURCE}");
    fs::write(built.folder.path().join("program.c"), source).unwrap();
    in_folder(&built, "gcc -g -gdwarf-4 -O0 -o program program.c");
    fs::copy(&built.program, built.folder.path().join("other")).unwrap();
    if in_folder(&built, "dwz -m common.debug program other").is_none() {
        return;
    }
    let stopped = built.stop(&[], |program| program.function(program.functions_named("add")[0]).body);
    let shared = stopped.global("shared");
    assert_eq!(stopped.program.type_name(shared.ty), "struct shared");
    let (at, _) = stopped.member(&shared, "a_member_with_a_long_name_59");
    assert_eq!(at, shared.at + 59 * 4);
    assert_eq!(stopped.number(&stopped.local(0, "by")), 39);
    assert_eq!(stopped.program.line_at(stopped.frames[0].pc).unwrap().line, 4);
}

#[test]
fn a_script_is_no_program() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    fs::write(&script, "#!/bin/sh\necho\n").unwrap();
    let error = load(&script, &[]).unwrap_err();
    assert!(matches!(error, DebugError::NoProgram { .. }));
    assert!(error.to_string().ends_with("script is no ELF program: it is a script (#!/bin/sh)"), "{error}");
    fs::write(&script, "").unwrap();
    assert!(load(&script, &[]).unwrap_err().to_string().ends_with("it is empty"));
    fs::write(&script, "hello").unwrap();
    assert!(matches!(load(&script, &[]), Err(DebugError::NoProgram { .. })));
    fs::write(&script, b"\x7fELF").unwrap();
    assert!(matches!(load(&script, &[]), Err(DebugError::NoProgram { .. })));
    assert!(matches!(load(folder.path(), &[]), Err(DebugError::Unreadable { .. })));
    assert!(matches!(load(&folder.path().join("nothing"), &[]), Err(DebugError::Unreadable { .. })));
}

#[test]
fn programs_for_other_machines_are_named() {
    let Some(built) = build(SOURCE, "c", "gcc -g -O0 -o program {}") else { return };
    let bytes = fs::read(&built.program).unwrap();
    let other = built.folder.path().join("other");
    for (at, byte, machine) in [(18, 183, "64-bit ARM"), (18, 243, "RISC-V"), (4, 1, "x32"), (18, 3, "i386")]
    {
        let mut changed = bytes.clone();
        changed[at] = byte;
        fs::write(&other, changed).unwrap();
        match load(&other, &[]) {
            Err(DebugError::OtherMachine { machine: found, .. }) => assert_eq!(found, machine),
            other => panic!("{other:?}"),
        }
    }
    in_folder(&built, "gcc -g -c program.c");
    assert!(matches!(load(&built.folder.path().join("program.o"), &[]), Err(DebugError::NoProgram { .. })));
}

#[test]
fn no_debug_information_is_told_from_stripped() {
    let Some(built) = build(SOURCE, "c", "gcc -O0 -o program {}") else { return };
    let error = load(&built.program, &[]).unwrap_err();
    assert!(matches!(error, DebugError::None { stripped: false, .. }));
    assert!(error.to_string().ends_with("program has no debug information"), "{error}");
    in_folder(&built, "strip program");
    let error = load(&built.program, &[]).unwrap_err();
    assert!(error.to_string().ends_with("has no debug information: it is stripped"), "{error}");
}

#[test]
fn a_library_that_can_not_be_read_is_left_out() {
    let Some(built) = build(SOURCE, "c", "gcc -g -O0 -o program {}") else { return };
    let loaded = [
        Loaded { path: built.program.clone(), bias: 0 },
        Loaded { path: "/nonexistent/library.so".into(), bias: 4096 },
    ];
    let program = Program::load(&loaded, &[]).unwrap();
    assert_eq!(program.functions_named("add").len(), 1);
}
