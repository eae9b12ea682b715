//! `--graph`: writes the memory graph of the failing run to a file, with its differences from the passing run.

use crate::lab_setup::current_folder;
use crate::options::can_be_written;
use clap::Args;
use howcome_report::graph_svg;
use howcome_run::words::{count, thousands};
use howcome_run::{FileReplacement, Problem};
use howcome_state::ComparedPlace;
use howcome_state::debug::Program;
use howcome_state::graph::{GraphExport, MemoryGraph, VertexId, VertexMark};
use howcome_state::question::{GraphRequest, ShownPlace};
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

/// A drawing shows vertices within this number of edges around the differences.
const DEPTH: u32 = 2;
/// With at most this number of differences there is still room for the vertices around them.
const MOST_IN_THE_MIDDLE: usize = 100;

/// The flags for the memory graph.
#[derive(Args, Debug)]
#[command(next_help_heading = "The memory graph")]
pub(super) struct GraphArgs {
    /// Write the memory graph of the failing run to FILE, with the variables that differ and those that decide: .json for
    /// the whole graph, .dot or .svg for the part around the differences. The place is the last one with a cause
    #[arg(long, value_name = "FILE")]
    graph: Option<PathBuf>,
    /// In .dot and .svg, show the part around this variable (repeatable): list->next->id
    #[arg(long, value_name = "VARIABLE", requires = "graph", allow_hyphen_values = true)]
    around: Vec<String>,
    /// In .dot and .svg, show the whole graph, however large it is
    #[arg(long, requires = "graph", conflicts_with = "around")]
    whole_graph: bool,
}

/// The format of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GraphFormat {
    Dot,
    Json,
    Svg,
}

impl GraphArgs {
    /// The file that is written.
    pub(super) fn file(&self) -> Option<&Path> {
        self.graph.as_deref()
    }

    /// The request, with a path that stays right if the run is resumed in another folder.
    pub(super) fn request(&self, directory: &Path) -> GraphRequest {
        GraphRequest {
            graph: self.graph.as_ref().map(|path| directory.join(path)),
            around: self.around.clone(),
            whole_graph: self.whole_graph,
        }
    }
}

/// Checks, as far as possible before there is a graph, that it can be written.
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
    FileReplacement::at_users_path(path)
        .write_bytes(text.as_bytes())
        .map_err(|error| Problem::with_file(path, &error))?;
    Ok(describe(request, shown, path, format))
}

fn describe(request: &GraphRequest, shown: &ShownPlace<'_>, path: &Path, format: GraphFormat) -> String {
    let all = count(shown.failing.graph.vertices.len() as u64, "vertex");
    let place = format!("the memory graph of the failing run at {}", shown.place);
    let differ = thousands(shown.differing.len() as u64);
    let numbers = format!("{all}, {differ} of them different, {} decisive", shown.causes.len());
    let part = match (format, request.whole_graph, request.around.as_slice()) {
        (GraphFormat::Json, ..) | (_, true, _) => "the whole graph".to_owned(),
        (_, _, []) => {
            "the part around the differences; --around VARIABLE shows another part, --whole-graph the whole graph"
                .to_owned()
        }
        (_, _, named) => format!("the part around {}", named.join(", ")),
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
        _ => {
            Err(Problem::new(format!("the name of {} does not give the format of the graph", path.display()))
                .hint("use a name that ends in .dot, .json or .svg"))
        }
    }
}

/// The vertex with this expression. Searches breadth first, and only below variables that the expression contains.
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
        // Each vertex has one parent, so it is visited once.
        let below = graph.edges_of(vertex).iter().map(|edge| edge.to);
        ready.extend(below.filter(|below| graph.vertices[below.0 as usize].parent == Some(vertex)));
    }
    Err(Problem::new(format!("there is no `{name}` at {place} to draw a graph around"))
        .hint("--graph FILE.json lists all names at that place; --at chooses another place"))
}
