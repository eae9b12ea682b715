//! Between two releases in C, `howcome changes` first asks which whole files make the difference.

#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::{Place, lines_of};
use serde_json::{Value, json};

/// A program of twenty files. Those of its core use the member of a structure, which is an array in the bad version, so no
/// function of the core fits the other version. The libraries use only each other's functions.
fn versions() -> Place {
    let place = Place::empty();
    for (folder, member, is_bad) in [("good", "total", false), ("bad", "parts[0]", true)] {
        let write = |name: &str, text: String| place.write(&format!("{folder}/{name}"), text.as_bytes());
        let declarator = if is_bad { "parts[1]" } else { member };
        let mut declared = format!("struct state {{ int {declarator}; }};\n");
        let (mut of_core, mut of_libraries) = (String::new(), String::new());
        for file in 0..10 {
            let (mut core, mut library) = ("#include \"state.h\"\n".to_owned(), String::new());
            for number in 0..8 {
                let at = file * 8 + number;
                declared += &format!("void core_{at}(struct state *);\n");
                core +=
                    &format!("\nvoid core_{at}(struct state *state)\n{{\n    state->{member} += {at};\n}}\n");
                of_core += &format!("    core_{at}(&state);\n");
                let body = match is_bad {
                    true => format!("int next = {at};\n    next += value;\n    return next;"),
                    false => format!("int next = {at};\n\n    return next + value;"),
                };
                library += &format!("\nint library_{at}(int value)\n{{\n    {body}\n}}\n");
                of_libraries += &format!("    value = library_{at}(value);\n");
            }
            write(&format!("core{file}.c"), core);
            write(&format!("library{file}.c"), library);
        }
        let declarations: String = (0..80).map(|at| format!("int library_{at}(int);\n")).collect();
        write("state.h", declared + &declarations);
        write(
            "main.c",
            format!(
                "#include \"state.h\"\n#include <stdio.h>\n\nint main(void)\n{{\n    struct state state = {{0}};\n    int value = 0;\n\
                 {of_core}{of_libraries}    printf(\"%d %d\\n\", state.{member}, value);\n    return 0;\n}}\n"
            ),
        );
    }
    place
}

fn found(place: &Place) -> Value {
    let test = "seen=$(./program); echo \"$seen\"; test \"$seen\" = '3160 3160'";
    let build = "cc -c *.c && cc -o program *.o";
    let words = ["changes", "-q", "--json", "-j1", "--run-dir", "run", "--good", "good", "--bad", "bad"];
    place.json(&[&words[..], &["--build", build, "--", "sh", "-c", test]].concat())
}

#[test]
fn a_library_that_fits_both_versions_of_the_core() {
    let place = versions();
    place.replace_once("bad/library3.c", "int next = 28;", "int next = 82;");
    let json = found(&place);
    assert_eq!(lines_of(&json), ["library3.c: -    int next = 28;", "library3.c: +    int next = 82;"]);
    assert_eq!(json["verified"], json!({"alone_fails": true, "without_passes": true}), "{json:#}");
    let told = json["tests"]["told"].as_u64().unwrap();
    assert!(told <= 24, "{told} tests");
    let trail = place.seen(&["show", "run", "--trail"]);
    // Only if the difference is a single file, that file is tested alone.
    let [narrowed, alone] =
        ["files: 22 files, narrow\n", "files: 22 files, probe\n"].map(|stage| trail.find(stage));
    assert!(narrowed.is_some() && narrowed < alone && !trail.contains("definitions: "), "{trail}");
}
