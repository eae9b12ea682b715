//! `--graph`: the memory graph of the failing run in a file, with what differs from the passing run.

use crate::options::can_be_written;
use crate::session::current_folder;
use clap::Args;
use howcome_report::graph_svg;
use howcome_run::Problem;
use howcome_run::words::{count, thousands};
use howcome_state::ComparedPlace;
use howcome_state::debug::Program;
use howcome_state::graph::{GraphExport, MemoryGraph, VertexId, VertexMark};
use howcome_state::question::{GraphRequest, ShownPlace};
use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// How many edges around what is of interest a drawing shows.
const DEPTH: u32 = 2;
/// With so many differences in the middle there is still room for what is around them.
const MOST_IN_THE_MIDDLE: usize = 100;

/// What is to be drawn, and where to.
#[derive(Args, Debug)]
#[command(next_help_heading = "The memory graph")]
pub(super) struct GraphArgs {
    /// Write the memory graph of the failing run to FILE, with what differs from the passing run and what decides: .json
    /// (all of it), .dot or .svg (what is around the differences). It is that of the last place where a cause was found
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    /// In .dot and .svg, show what is around this variable (repeatable): list->next->id
    #[arg(long, value_name = "VARIABLE", requires = "graph", allow_hyphen_values = true)]
    around: Vec<String>,
    /// In .dot and .svg, show all of it, however much it is
    #[arg(long, requires = "graph", conflicts_with = "around")]
    whole_graph: bool,
}

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GraphFormat {
    Dot,
    Json,
    Svg,
}

impl GraphArgs {
    /// The same, from whatever folder the run is resumed.
    pub(super) fn request(&self, directory: &Path) -> GraphRequest {
        GraphRequest {
            graph: self.graph.as_ref().map(|path| directory.join(path)),
            around: self.around.clone(),
            whole_graph: self.whole_graph,
        }
    }
}

/// Whether the graph can be written, as far as one can tell before there is one.
pub(super) fn check(request: &GraphRequest) -> Result<(), Problem> {
    let Some(path) = &request.graph else { return Ok(()) };
    format(path)?;
    can_be_written(path)
}

/// Writes the graph, and returns where it is.
pub(super) fn write(request: &GraphRequest, shown: &ShownPlace<'_>) -> Result<String, Problem> {
    let Some(path) = &request.graph else { return Ok(String::new()) };
    check(request)?;
    let format = format(path)?;
    let graph = &shown.failing.graph;
    let around = match request.around.is_empty() {
        true => middle(shown),
        false => request
            .around
            .iter()
            .map(|name| variable(graph, shown.program, name, shown.place))
            .collect::<Result<_, _>>()?,
    };
    let marks = marks(shown);
    let mark = |vertex: VertexId| marks.get(&vertex).copied().unwrap_or_default();
    let export = GraphExport {
        graph,
        program: shown.program,
        snapshot: &shown.failing.snapshot,
        mark: &mark,
        around: &around,
        depth: DEPTH,
        everything: request.whole_graph,
    };
    let text = match format {
        GraphFormat::Dot => export.dot(),
        GraphFormat::Json => export.json(),
        GraphFormat::Svg => graph_svg(&export.part(), export.left_out()),
    };
    fs::write(path, text).map_err(|error| Problem::with_file(path, &error))?;
    Ok(describe(request, shown, path, format))
}

fn describe(request: &GraphRequest, shown: &ShownPlace<'_>, path: &Path, format: GraphFormat) -> String {
    let all = count(shown.failing.graph.vertices.len() as u64, "vertex");
    let place = format!("the memory graph of the failing run at {}", shown.place);
    let differ = thousands(shown.differing.len() as u64);
    let numbers = format!("{all}, {differ} of them different, {} decisive", shown.causes.len());
    let part = match (format, request.whole_graph, request.around.as_slice()) {
        (GraphFormat::Json, ..) | (_, true, _) => "all of it".to_owned(),
        (_, _, []) => {
            "what is around the differences; --around VARIABLE shows another part, --whole-graph all of it"
                .to_owned()
        }
        (_, _, named) => format!("what is around {}", named.join(", ")),
    };
    let here = current_folder().ok();
    let path = here.as_ref().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path);
    format!("{place} ({numbers}) is in {}: {part}", path.display())
}

fn marks(shown: &ShownPlace<'_>) -> HashMap<VertexId, VertexMark> {
    let differing = shown.differing.iter().map(|vertex| (*vertex, VertexMark::Differs));
    let causes = shown.causes.iter().map(|vertex| (*vertex, VertexMark::Cause));
    differing.chain(causes).collect()
}

/// The vertices in the middle of a drawing: the causes first, and other differences as long as there is room.
fn middle(shown: &ShownPlace<'_>) -> Vec<VertexId> {
    shown.causes.iter().chain(&shown.differing).copied().take(MOST_IN_THE_MIDDLE).collect()
}

fn format(path: &Path) -> Result<GraphFormat, Problem> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("dot") => Ok(GraphFormat::Dot),
        Some("json") => Ok(GraphFormat::Json),
        Some("svg") => Ok(GraphFormat::Svg),
        _ => Err(Problem::new(format!("{} does not say how a graph is to be written", path.display()))
            .hint("its name ends in .dot, .json or .svg")),
    }
}

/// The vertex of an expression. Those near their variable come first, and variables that the expression does not name are
/// not looked into.
fn variable(
    graph: &MemoryGraph,
    program: &Program,
    name: &str,
    place: &ComparedPlace,
) -> Result<VertexId, Problem> {
    let named = |vertex: VertexId| graph.expression(program, vertex);
    let roots = graph.roots.iter().map(|root| root.to);
    let mut ready: VecDeque<VertexId> = roots.filter(|root| name.contains(&named(*root))).collect();
    while let Some(vertex) = ready.pop_front() {
        if named(vertex) == name {
            return Ok(vertex);
        }
        // Each vertex has one parent, so that it comes once.
        let below = graph.edges_of(vertex).iter().map(|edge| edge.to);
        ready.extend(below.filter(|below| graph.vertices[below.0 as usize].parent == Some(vertex)));
    }
    Err(Problem::new(format!("there is no `{name}` at {place}, so there is no graph around it"))
        .hint("--graph FILE.json lists all names at that place; --at names another place"))
}
