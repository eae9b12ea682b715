//! Which part of an input makes a test fail: the smallest input that still fails, or the smallest difference between a passing
//! and a failing input.
//!
//! **What you provide:** a failing input (files of any kind, folders, containers) and a test. The test is a command that
//! runs in a lab ([`question`]), or a function ([`simplify`]). **What you get:** the smallest input that the passes can
//! find, and the unit in which it is minimal. With a passing input, the tokens that decide between passing and failing.
//! **What it is not for:** judging candidates, which is the task of the test; reading the command line; printing.
//!
//! A [`Document`] holds the input as pieces. A [`Pass`] proposes deltas for a document: "remove this line", "rename this
//! variable". The [`ReductionPlan`] decides which pass runs next, and [`reduce`] runs a search of `howcome-dd` over the
//! deltas of one pass after another. A configuration names the deltas that are *not* carried out, so every search for a
//! smallest failing configuration makes the document as small as possible.
//!
//! With a function as the test:
//!
//! ```
//! use howcome_input::{Document, passes, simplify};
//! use howcome_run::Unit;
//!
//! let program = "int a = 1;\nint main(void) {\n    int total = 0; /* sum */\n    return 100 / total;\n}\n";
//! let document = Document::of_file("crash.c", program);
//! let reduced = simplify(&document, passes(), |candidate| candidate.text().contains("/ "));
//! assert_eq!(reduced.document.text(), "/ ");
//! assert_eq!(reduced.minimal_in, Some(Unit::Character));
//! ```
//!
//! With a command as the test, recorded in the folder of a run:
//!
//! ```no_run
//! use howcome_input::question::{InputRequest, Inputs, ask, default_output};
//! use howcome_lab::inquiry::{FailureRequest, NewRun, NoListener, Response, Session, TestCommand};
//! use howcome_lab::{Local, LocalOptions};
//! use howcome_run::{Algorithm, Budget, QuestionName, RunDir, RunFile};
//! use std::path::Path;
//!
//! # fn run(warden: Vec<std::ffi::OsString>) -> Result<(), Box<dyn std::error::Error>> {
//! let here = std::env::current_dir()?;
//! let files = [here.join("crash.json")];
//! let test = TestCommand::parse(&["./program".into(), "{}".into()], here, false)?;
//! let request = InputRequest::new(&files, default_output(&files), test, FailureRequest::default());
//! let runs = Path::new(RunDir::RUNS);
//! let inputs = Inputs::read(&request, None, runs)?;
//! let file = RunFile::new(QuestionName::Input, Algorithm::Balanced.into(), 1, &request)?;
//! // The run keeps a copy of the inputs.
//! let new_run = NewRun::from(file).with_inputs(&inputs);
//! let mut session = Session::begin([runs.join("crash")], new_run, Budget::default(), Box::new(NoListener))?;
//! // A program that calls `howcome_lab::warden::serve` when it is started as a warden.
//! let mut lab = Local::new(LocalOptions::new(warden, std::env::temp_dir()))?;
//! let answered = ask(&mut session, &mut lab, &request, &inputs, runs, false);
//! if let Ok(Response::Concluded(concluded)) = &answered {
//!     println!("{:?}", concluded.conclusion);
//! }
//! session.close(answered)?;
//! # Ok(())
//! # }
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `document` | files and folders of an input, and members of containers, as pieces |
//! | `packing/` | containers: one file per format |
//! | `delta`, `description` | changes that make a document smaller, and their description |
//! | `candidates`, `input_test` | the subject of a reduction, and how a candidate is given to the test |
//! | `pass`, `passes/` | what a pass is; one file per pass |
//! | `text/`, `trees/` | the structure of texts and of syntax trees, for passes |
//! | `small_enough` | ends a search at a size that the user wants |
//! | `plan`, `refused_deltas` | which pass runs next, and which deltas are not tried again |
//! | `reduction`, `noticed` | one pass after another, and other failures that were seen on the way |
//! | `simplification` | the same with a function as the test |
//! | `isolation/` | two inputs, and all mixes of them |
//! | `question/` | the question from request to answer: baseline, search, verification, files |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod candidates;
mod delta;
mod description;
mod document;
mod input_test;
mod isolation;
mod noticed;
mod packing;
mod pass;
mod passes;
mod plan;
pub mod question;
mod reduction;
mod refused_deltas;
mod simplification;
mod small_enough;
mod text;
mod trees;

pub use candidates::Candidates;
pub use delta::{Delta, PieceChange};
pub use document::{Document, DocumentFile, DocumentPart, Packing, Piece, PieceId, PieceKind};
/// The languages whose syntax is known.
pub use howcome_syntax::Language;
pub use input_test::InputTest;
pub use isolation::Mixture;
pub use noticed::{NoticedDocuments, NoticedKind};
pub use pass::{Pass, PassInfo, Proposals, Tier};
pub use passes::passes;
pub use plan::{PlannedStage, ReductionPlan};
pub use reduction::{Reduced, reduce};
pub use simplification::simplify;
