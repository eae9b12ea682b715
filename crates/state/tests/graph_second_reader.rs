//! A second reader, a script for gdb's Python, sees the same values at the same addresses of the same states.

#![allow(clippy::unwrap_used)]

mod second_reader;

use howcome_state::graph::{MemoryGraph, Shape, VertexId};
use second_reader::{Stopped, build, core};
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

/// What gdb saw, and the addresses that it has for our expressions.
#[derive(serde::Deserialize)]
struct SeenByGdb {
    values: Vec<(u64, u64, String, String, Option<u64>)>,
    expressions: Vec<(String, serde_json::Value)>,
}

fn has_gdb_with_python() -> bool {
    let version = Command::new("gdb").args(["-nx", "-batch", "-ex", "python print(1)"]).output();
    let is_installed = version.is_ok_and(|output| output.stdout.starts_with(b"1"));
    if !is_installed {
        howcome_testing::skip("gdb with Python is not installed");
    }
    is_installed
}

fn walk(stopped: &Stopped, program: &Path, source: &str, expressions: &str) -> SeenByGdb {
    let folder = program.parent().unwrap();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let process = stopped.tracee.process();
    let auxiliary = std::fs::read(format!("/proc/{}/auxv", process.pid())).unwrap();
    let (file, output, given) = (folder.join("core"), folder.join("seen.json"), folder.join("expressions"));
    core::write(&stopped.state.snapshot, &auxiliary, &process.registers().unwrap(), &file);
    std::fs::write(&given, expressions).unwrap();
    let result = Command::new("gdb")
        .args(["-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", "set python print-stack full"])
        .args([program, &file])
        .arg("-x")
        .arg(manifest.join("tests/second_reader/walk.py"))
        .env("WALK_SOURCE", source)
        .env("WALK_OUTPUT", &output)
        .env("WALK_EXPRESSIONS", &given)
        .output()
        .unwrap();
    let seen = std::fs::read(&output);
    let seen = seen.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&result.stderr)));
    serde_json::from_slice(&seen).unwrap()
}

/// Our values by bit address and number of bits; texts have no number of bits.
fn leaves(graph: &MemoryGraph) -> HashMap<(u64, u64), Vec<VertexId>> {
    let mut leaves: HashMap<(u64, u64), Vec<VertexId>> = HashMap::new();
    for (index, vertex) in graph.vertices.iter().enumerate() {
        let (skip, count) = match vertex.shape {
            Shape::Scalar(size) => (0, u64::from(size) * 8),
            Shape::Bits(bits) => (u64::from(bits.skip), u64::from(bits.count)),
            Shape::Pointer => (0, 64),
            Shape::Text(_) => (0, 0),
            _ => continue,
        };
        leaves.entry((vertex.at.0 * 8 + skip, count)).or_default().push(VertexId(index as u32));
    }
    leaves
}

/// What is wrong with one value that gdb saw.
fn disagreement(
    stopped: &Stopped,
    leaves: &HashMap<(u64, u64), Vec<VertexId>>,
    (at, bits, kind, value, target): &(u64, u64, String, String, Option<u64>),
) -> Option<String> {
    let graph = stopped.graph();
    let address = howcome_state::Address(at / 8);
    let Some(ours) = leaves.get(&(*at, *bits)) else {
        // A pointer into the middle of a text has no text of its own.
        let object = graph.object_at(address).map(|object| graph.objects[object.0 as usize].vertex);
        let around = object.map(|vertex| graph.vertices[vertex.0 as usize].shape);
        if kind == "pointed text" && matches!(around, Some(Shape::Text(_))) {
            return None;
        }
        // gdb knows the words of a `std::vector<bool>`, and not which bits are its elements.
        let said = |vertex: &VertexId| graph.value(&stopped.program, &stopped.state.snapshot, *vertex);
        let elements = (0..*bits).map_while(|bit| leaves.get(&(at + bit, 1))?.first().map(said));
        let number = elements
            .zip(0..)
            .fold(0_u64, |number, (element, bit)| number | u64::from(element == "true") << bit);
        if kind == "number" && leaves.contains_key(&(*at, 1)) && number.to_string() == *value {
            return None;
        }
        return Some(format!("{address} ({bits} bits): {kind} {value} is not in the graph"));
    };
    let said = |vertex: &VertexId| graph.value(&stopped.program, &stopped.state.snapshot, *vertex);
    let number = || stopped.state.snapshot.number(address, bits / 8).unwrap_or(0).to_string();
    let agrees = |vertex: &VertexId| match kind.as_str() {
        "number" => &said(vertex) == value || said(vertex) == if value == "0" { "false" } else { "true" },
        "float" => *bits > 64 || said(vertex).parse::<f64>().ok() == value.parse().ok(),
        "character" if *bits > 8 => &number() == value,
        "character" => number().parse::<u8>().ok() == value.parse::<i16>().ok().map(|value| value as u8),
        "text" | "pointed text" => {
            let Shape::Text(length) = graph.vertices[vertex.0 as usize].shape else { return false };
            let bytes = stopped.state.snapshot.bytes(address, u64::from(length)).unwrap();
            let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
            text == *value || value.len() >= 64 && text.starts_with(value.as_str())
        }
        "pointer" => {
            let leads = graph.edges_of(*vertex).first().map(|edge| graph.vertices[edge.to.0 as usize].at.0);
            &number() == value && target.is_none_or(|target| leads == Some(target))
        }
        _ => false,
    };
    if ours.iter().any(agrees) {
        return None;
    }
    let ours: Vec<String> = ours
        .iter()
        .map(|vertex| format!("{} = {}", graph.expression(&stopped.program, *vertex), said(vertex)))
        .collect();
    Some(format!("{address} ({bits} bits): {kind} {value} → {target:?} is here {ours:?}"))
}

fn agree(name: &str, least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second_reader/programs");
    let source = std::fs::read_to_string(folder.join(name)).unwrap();
    if !has_gdb_with_python() {
        return;
    }
    let Some(built) = build(name, &source, &[]) else { return };
    let stopped = built.stopped_at("stop", &[]);
    let graph = stopped.graph();
    let is_c = name.ends_with(".c");
    // Expressions in C are expressions of gdb, except for folded ones and those of other frames.
    let spelled = (0..graph.vertices.len() as u32).filter(|_| is_c).filter_map(|index| {
        let expression = graph.expression(&stopped.program, VertexId(index));
        let is_leaf =
            !matches!(graph.vertices[index as usize].shape, Shape::Record | Shape::Text(_) | Shape::Bits(_));
        (is_leaf && !expression.contains(['{', '@']))
            .then_some((expression, graph.vertices[index as usize].at.0))
    });
    let spelled: HashMap<String, u64> = spelled.collect();
    let mut expressions: Vec<&str> = spelled.keys().map(String::as_str).collect();
    expressions.sort_unstable();
    let seen = walk(&stopped, &built.program, name, &expressions.join("\n"));
    assert!(seen.values.len() >= least, "gdb saw only {} values", seen.values.len());
    let leaves = leaves(graph);
    let wrong: Vec<String> =
        seen.values.iter().filter_map(|value| disagreement(&stopped, &leaves, value)).collect();
    let total = seen.values.len();
    assert!(wrong.is_empty(), "{} of {total} disagree:\n{}", wrong.len(), wrong.join("\n"));
    let mut known = 0;
    for (expression, place) in &seen.expressions {
        // gdb knows the names of the innermost frame only.
        if let Some(place) = place.as_u64() {
            assert_eq!(spelled.get(expression), Some(&place), "{expression}");
            known += 1;
        }
    }
    assert!(!is_c || known * 4 >= spelled.len(), "gdb understood {known} of {} expressions", spelled.len());
}

#[test]
fn a_hash_table_in_c_is_read_alike() {
    agree("table.c", 120);
}

#[test]
fn records_of_c_are_read_alike() {
    agree("records.c", 100);
}

#[test]
fn texts_of_c_are_read_alike() {
    agree("words.c", 40);
}

#[test]
fn classes_of_cpp_are_read_alike() {
    agree("shapes.cc", 30);
}

#[test]
fn containers_of_cpp_are_read_alike() {
    agree("containers.cc", 100);
}

#[test]
fn enums_of_rust_are_read_alike() {
    agree("enums.rs", 30);
}

#[test]
fn containers_of_rust_are_read_alike() {
    agree("containers.rs", 80);
}
