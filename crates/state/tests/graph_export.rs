//! Graphs as JSON, DOT and for drawings.

#![allow(clippy::unwrap_used)]

mod second_reader;

use howcome_state::graph::{GraphExport, VertexId, VertexMark};
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
    let export = GraphExport {
        graph,
        program: &stopped.program,
        snapshot: &stopped.state.snapshot,
        mark: &mark,
        around: &[],
        depth: 2,
        everything: false,
    };
    let json: serde_json::Value = serde_json::from_str(&export.json()).unwrap();
    assert_eq!(json["vertices"].as_array().unwrap().len(), graph.vertices.len());
    assert_eq!(json["edges"].as_array().unwrap().len(), graph.edges.len());
    let shown = &json["vertices"][cause.0 as usize];
    assert_eq!((&shown["name"], &shown["value"]), (&"list->next->id".into(), &"2998".into()));
    assert_eq!((&shown["cause"], &shown["differs"]), (&true.into(), &true.into()));

    let dot = export.dot();
    assert!(
        dot.contains(&format!("v{} [label=\"list->next->id = 2998\", fillcolor=\"#ff9d8a\"", cause.0)),
        "{dot}"
    );
    assert!(dot.lines().count() < 60, "{dot}");
    let part = export.part();
    let marked: Vec<(&str, bool)> = part
        .vertices
        .iter()
        .filter(|vertex| vertex.is_different)
        .map(|vertex| (vertex.name.as_str(), vertex.is_cause))
        .collect();
    assert!(marked.contains(&("list->next->id", true)), "{marked:?}");
    assert!(marked.contains(&("list->next->next->id", false)), "{marked:?}");
    assert!(part.vertices.len() < 60);
    assert_eq!(export.left_out(), graph.vertices.len() - part.vertices.len());

    let all = GraphExport { everything: true, ..export };
    assert_eq!((all.part().vertices.len(), all.left_out()), (graph.vertices.len(), 0));
}
