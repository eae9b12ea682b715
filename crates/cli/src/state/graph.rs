//! `--graph`: the memory graph of the failing run in a file, with what differs from the passing run.

use crate::failure::Failure;
use crate::options::can_be_written;
use crate::talk::Talk;
use crate::test_command::stands;
use clap::Args;
use howcome_report::{count, graph_svg, thousands};
use howcome_state::debug::Program;
use howcome_state::graph::{GraphExport, MemoryGraph, ProgramState, VertexId, VertexMark};
use howcome_state::{ComparedPlace, ComparedStates, Examined};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// How many edges around what is of interest a drawing shows.
const DEPTH: u32 = 2;
/// With so many differences in the middle there is still room for what is around them.
const MOST_IN_THE_MIDDLE: usize = 100;

/// What is to be drawn, and where to.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
#[command(next_help_heading = "The memory graph")]
pub(crate) struct GraphOptions {
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
enum Format {
    Dot,
    Json,
    Svg,
}

/// A place with both states, and what decides there.
pub(super) struct Shown<'a> {
    place: &'a ComparedPlace,
    failing: &'a ProgramState,
    causes: Vec<VertexId>,
    differing: Vec<VertexId>,
}

impl GraphOptions {
    /// The same, wherever the next session stands.
    pub(super) fn from(&self, directory: &Path) -> Self {
        Self { graph: self.graph.as_ref().map(|path| directory.join(path)), ..self.clone() }
    }

    /// Whether a graph is asked for, and can be written as far as one can tell before there is one.
    pub(super) fn is_wanted(&self) -> Result<bool, Failure> {
        let Some(path) = &self.graph else { return Ok(false) };
        format(path)?;
        can_be_written(path).map(|()| true)
    }

    /// Writes the graph and says so.
    pub(super) fn write(&self, shown: &Shown<'_>, program: &Program, talk: &Talk) -> Result<(), Failure> {
        let Some(path) = &self.graph else { return Ok(()) };
        let format = format(path)?;
        let graph = &shown.failing.graph;
        let around = match self.around.is_empty() {
            true => shown.middle(),
            false => self
                .around
                .iter()
                .map(|name| variable(graph, program, name, shown.place))
                .collect::<Result<_, _>>()?,
        };
        let marks = shown.marks();
        let mark = |vertex: VertexId| marks.get(&vertex).copied().unwrap_or_default();
        let export = GraphExport {
            graph,
            program,
            snapshot: &shown.failing.snapshot,
            mark: &mark,
            around: &around,
            depth: DEPTH,
            everything: self.whole_graph,
        };
        let text = match format {
            Format::Dot => export.dot(),
            Format::Json => export.json(),
            Format::Svg => graph_svg(&export.part(), export.left_out()),
        };
        fs::write(path, text).map_err(|error| Failure::file(path, &error))?;
        talk.note(&self.said(shown, path, format));
        Ok(())
    }

    fn said(&self, shown: &Shown<'_>, path: &Path, format: Format) -> String {
        let all = count(shown.failing.graph.vertices.len() as u64, "vertex");
        let place = format!("the memory graph of the failing run at {}", shown.place);
        let differ = thousands(shown.differing.len() as u64);
        let numbers = format!("{all}, {differ} of them different, {} decisive", shown.causes.len());
        let part = match (format, self.whole_graph, self.around.as_slice()) {
            (Format::Json, ..) | (_, true, _) => "all of it".to_owned(),
            (_, _, []) => "what is around the differences; --around VARIABLE shows another part, --whole-graph all of it".to_owned(),
            (_, _, named) => format!("what is around {}", named.join(", ")),
        };
        let here = stands().ok();
        let path = here.as_ref().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(path);
        format!("{place} ({numbers}) is in {}: {part}", path.display())
    }
}

impl<'a> Shown<'a> {
    /// A place where something was found.
    pub(super) fn found(examined: &'a Examined) -> Self {
        let causes = examined.causes.iter().filter_map(|cause| cause.vertices);
        Self {
            place: &examined.place,
            failing: &examined.states[1],
            causes: causes.map(|[_, failing]| failing).collect(),
            differing: examined.differing.iter().map(|[_, failing]| *failing).collect(),
        }
    }

    /// A place where nothing was found.
    pub(super) fn looked_at(place: &'a ComparedPlace, look: &'a ComparedStates) -> Self {
        Self {
            place,
            failing: &look.states[1],
            causes: Vec::new(),
            differing: look.differing.iter().map(|[_, failing]| *failing).collect(),
        }
    }

    fn marks(&self) -> HashMap<VertexId, VertexMark> {
        let differing = self.differing.iter().map(|vertex| (*vertex, VertexMark::Differs));
        let causes = self.causes.iter().map(|vertex| (*vertex, VertexMark::Cause));
        differing.chain(causes).collect()
    }

    /// What a drawing is around: the causes first, and other differences as long as there is room.
    fn middle(&self) -> Vec<VertexId> {
        self.causes.iter().chain(&self.differing).copied().take(MOST_IN_THE_MIDDLE).collect()
    }
}

fn format(path: &Path) -> Result<Format, Failure> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("dot") => Ok(Format::Dot),
        Some("json") => Ok(Format::Json),
        Some("svg") => Ok(Format::Svg),
        _ => Err(Failure::wrong_use(format!("{} does not say how a graph is to be written", path.display()))
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
) -> Result<VertexId, Failure> {
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
    Err(Failure::wrong_use(format!("there is no `{name}` at {place}, so there is no graph around it"))
        .hint("--graph FILE.json lists all names at that place; --at names another place"))
}
