//! Graphs as JSON, DOT and SVG.

#![allow(clippy::unwrap_used)]

mod second_reader;

use howcome_state::graph::{Picture, VertexId, VertexMark};
use second_reader::build;

const PROGRAM: &str = r#"
#include <stdlib.h>
struct node { int id; char *name; struct node *next; };
struct node *list;
void stop(void) { list->id++; }
int main(void) {
    for (int i = 0; i < 3000; i++) {
        struct node *n = malloc(sizeof *n);
        n->id = i; n->name = "<a \"name\">"; n->next = list; list = n;
    }
    stop();
    return 0;
}
"#;

#[test]
fn json_holds_everything_and_drawings_what_is_near_the_differences() {
    let Some(built) = build("list.c", PROGRAM, &["-O0"]) else { return };
    let stopped = built.stopped_at("stop", &[]);
    let graph = stopped.graph();
    let vertex = |name: &str| {
        let vertices = (0..graph.vertices.len() as u32).map(VertexId);
        let mut named = vertices.filter(|vertex| graph.expression(&stopped.program, *vertex) == name);
        named.next().unwrap()
    };
    let (cause, other) = (vertex("list->next->id"), vertex("list->next->next->id"));
    let mark = |id: VertexId| match id {
        id if id == cause => VertexMark::Cause,
        id if id == other => VertexMark::Differs,
        _ => VertexMark::Same,
    };
    let picture = Picture {
        graph,
        program: &stopped.program,
        snapshot: &stopped.state.snapshot,
        mark: &mark,
        around: &[],
        depth: 2,
        everything: false,
    };
    let json: serde_json::Value = serde_json::from_str(&picture.json()).unwrap();
    assert_eq!(json["vertices"].as_array().unwrap().len(), graph.vertices.len());
    assert_eq!(json["edges"].as_array().unwrap().len(), graph.edges.len());
    let shown = &json["vertices"][cause.0 as usize];
    assert_eq!((&shown["name"], &shown["value"]), (&"list->next->id".into(), &"2998".into()));
    assert_eq!((&shown["cause"], &shown["differs"]), (&true.into(), &true.into()));

    let dot = picture.dot();
    assert!(
        dot.contains(&format!("v{} [label=\"list->next->id = 2998\", fillcolor=\"#ff9d8a\"", cause.0)),
        "{dot}"
    );
    assert!(dot.lines().count() < 60, "{dot}");
    let svg = picture.svg();
    assert!(
        svg.contains("★ list-&gt;next-&gt;id") && svg.contains("≠ list-&gt;next-&gt;next-&gt;id"),
        "{svg}"
    );
    assert!(svg.contains("more vertices are not shown") && svg.matches("<rect").count() < 60);

    let all = Picture { everything: true, ..picture };
    assert_eq!(all.svg().matches("<rect").count(), graph.vertices.len());
}
