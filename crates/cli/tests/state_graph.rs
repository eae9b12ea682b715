//! `howcome state --graph`, and the graphs in the report.
#![allow(clippy::unwrap_used)]

mod howcome;

use howcome::Place;
use serde_json::Value;
use std::collections::HashSet;
use std::process::Output;

/// Prints a price that is made of the first argument.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>

struct box { int size; int price; long weight; };
static struct box *box;
int many[50000];

static void print_price(void)
{
    printf("%d\n", box->price);
    fflush(stdout);
}

static void done(void) { many[0]++; }

int main(int argc, char **argv)
{
    box = calloc(1, sizeof *box);
    if (argc > 1)
        box->size = atoi(argv[1]);
    box->price = box->size + 1;
    print_price();
    done();
    return 0;
}
"#;

/// A folder with the program. Without a compiler the test is recorded as skipped.
#[track_caller]
fn compiled() -> Option<Place> {
    if !howcome_testing::need_program("gcc") {
        return None;
    }
    let place = Place::empty();
    place.write("box.c", PROGRAM.as_bytes());
    let output = std::process::Command::new("gcc")
        .args(["-g", "-O0", "-o", "box", "box.c"])
        .current_dir(place.path(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(place)
}

fn state(place: &Place, flags: &[&str]) -> Output {
    place.run(&[&["state", "--fail", "./box 3", "--pass", "./box 4", "--run-dir", "run"], flags].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(place: &Place, name: &str) -> Value {
    serde_json::from_slice(&place.read(name)).unwrap()
}

#[test]
fn a_graph_as_json_holds_all_vertices_with_what_differs_and_what_decides() {
    let Some(place) = compiled() else { return };
    let output = state(&place, &["--at", "print_price", "--graph", "graph.json"]);
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("the memory graph of the failing run at print_price (box.c:"), "{said}");
    assert!(said.contains("is in graph.json: the whole graph"), "{said}");
    let graph = json(&place, "graph.json");
    let vertices = graph["vertices"].as_array().unwrap();
    assert!(vertices.len() > 50_000);
    let those = |mark: &str| -> Vec<&str> {
        let marked = vertices.iter().filter(|vertex| vertex[mark] == true);
        marked.map(|vertex| vertex["name"].as_str().unwrap()).collect()
    };
    assert_eq!(those("cause"), ["box->price"]);
    assert!(those("differs").contains(&"box->size"), "{:?}", those("differs"));
    assert!(!those("differs").contains(&"many[7]"));
    let ids: HashSet<&Value> = vertices.iter().map(|vertex| &vertex["id"]).collect();
    for edge in graph["edges"].as_array().unwrap() {
        assert!(ids.contains(&edge["from"]) && ids.contains(&edge["to"]), "{edge}");
    }
}

#[test]
fn a_drawing_of_fifty_thousand_vertices_shows_what_is_around_the_differences() {
    for name in ["graph.svg", "graph.dot"] {
        let Some(place) = compiled() else { return };
        let output = state(&place, &["--at", "print_price", "--graph", name]);
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert!(
            said.contains("the part around the differences; --around VARIABLE shows another part"),
            "{said}"
        );
        let drawing = text(&place.read(name));
        assert!(drawing.contains("box->price") || drawing.contains("box-&gt;price"), "{drawing}");
        assert!(!drawing.contains("many[7]") && drawing.len() < 50_000, "{} bytes", drawing.len());
    }
}

#[test]
fn another_part_of_the_graph_is_shown_around_a_variable() {
    let Some(place) = compiled() else { return };
    let output = state(&place, &["--at", "print_price", "--graph", "graph.dot", "--around", "many[7]"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let drawing = text(&place.read("graph.dot"));
    assert!(drawing.contains("many[7] = 0") && !drawing.contains("box->price"), "{drawing}");
}

#[test]
fn a_variable_that_is_not_there_is_said_with_the_answer() {
    let Some(place) = compiled() else { return };
    let output = state(&place, &["--at", "print_price", "--graph", "graph.dot", "--around", "many[70000]"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("box->price = 4"), "{}", text(&output.stdout));
    let said = text(&output.stderr);
    assert!(said.contains("error: there is no `many[70000]` at print_price (box.c:"), "{said}");
    assert!(!place.path("graph.dot").exists());
}

#[test]
fn a_place_where_nothing_is_found_has_a_graph_all_the_same() {
    let Some(place) = compiled() else { return };
    let output = state(&place, &["--at", "done", "--graph", "graph.json"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains("0 decisive) is in graph.json"), "{said}");
    let vertices = json(&place, "graph.json")["vertices"].as_array().unwrap().clone();
    let differs =
        |name: &str| vertices.iter().any(|vertex| vertex["name"] == name && vertex["differs"] == true);
    assert!(differs("box->price") && !differs("many[0]"));
}

#[test]
fn of_several_places_the_last_with_a_cause_is_drawn() {
    let Some(place) = compiled() else { return };
    let output =
        state(&place, &["--at", "main", "--at", "print_price", "--at", "done", "--graph", "graph.dot"]);
    let said = text(&output.stderr);
    assert!(said.contains("the memory graph of the failing run at print_price (box.c:"), "{said}");
}

#[test]
fn a_name_that_says_no_format_and_a_folder_that_is_not_there_are_refused_before_anything_runs() {
    let place = Place::empty();
    for (name, says) in [
        ("graph.png", "hint: use a name that ends in .dot, .json or .svg"),
        ("graph", "graph does not give the format of the graph"),
        ("no/folder/graph.svg", "no such folder"),
    ] {
        let output = state(&place, &["--graph", name]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(says), "{}", text(&output.stderr));
        assert!(!place.path("run").exists());
    }
}

#[test]
fn the_report_gets_the_graph_around_each_cause() {
    let Some(place) = compiled() else { return };
    let output = state(&place, &["--at", "print_price", "--json"]);
    let finding: Value = serde_json::from_slice(&output.stdout).unwrap();
    let graph = &finding["finding"]["chain"][0]["graph"];
    let vertices = graph["vertices"].as_array().unwrap();
    assert!(vertices.len() <= 40);
    let vertex = |name: &str| vertices.iter().find(|vertex| vertex["name"] == name).unwrap();
    let cause = vertex("box->price");
    assert_eq!(
        (&cause["value"], &cause["passing"], &cause["cause"]),
        (&"4".into(), &"5".into(), &true.into())
    );
    let variable = vertex("box");
    assert_eq!((&variable["differs"], &variable["passing"]), (&false.into(), &Value::Null));
    let has_edge = |from: &Value, to: &Value, label: &str| {
        let edges = graph["edges"].as_array().unwrap();
        edges
            .iter()
            .any(|edge| edge["from"] == from["id"] && edge["to"] == to["id"] && edge["label"] == label)
    };
    assert!(
        has_edge(variable, vertex("*box"), "*") && has_edge(vertex("*box"), cause, ".price"),
        "{graph:#}"
    );
    let other = vertex("box->size");
    assert_eq!(
        (&other["differs"], &other["cause"], &other["passing"]),
        (&true.into(), &false.into(), &"4".into())
    );
    assert!(place.run(&["show", "run", "--html", "page.html"]).status.success());
    assert!(text(&place.read("page.html")).contains("The memory graph around it, of "));
}
