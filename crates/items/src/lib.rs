//! Which items of a list make a test fail: flags, environment variables, packages, seeds.
//!
//! **What you provide:** an [`ItemsRequest`] (the list, the test, what counts as the failure), a session that records the run, and
//! a lab in which tests run.
//! **What you get:** the smallest part of the list that still fails, or the smallest difference that decides, with what was
//! checked of it.
//! **What it is not for:** reading the command line, or printing.
//!
//! ```no_run
//! use howcome_items::{ItemList, ItemsRequest, ask};
//! use howcome_lab::inquiry::{
//!     FailureRequest, NewRun, NoListener, RelationsRequest, Response, SearchChoice, Session, TestCommand,
//! };
//! use howcome_lab::{Local, LocalOptions};
//! use howcome_run::{Budget, QuestionName, RunFile};
//! use std::sync::Arc;
//!
//! # fn run(warden: Vec<std::ffi::OsString>) -> Result<(), Box<dyn std::error::Error>> {
//! let here = std::env::current_dir()?;
//! let request = ItemsRequest {
//!     list: "flags.txt".into(),
//!     test: TestCommand::parse(&["./check-flags.sh".into()], here, false)?,
//!     algorithm: SearchChoice::Balanced,
//!     output: None,
//!     failure: FailureRequest::default(),
//!     relations: RelationsRequest::default(),
//! };
//! let list = Arc::new(ItemList::read(&request.list)?);
//! let file = RunFile::new(QuestionName::Items, request.algorithm.algorithm().into(), 1, &request)?;
//! // The run keeps a copy of the list.
//! let new_run = NewRun::from(file).with_inputs(&*list);
//! let mut session = Session::begin(["howcome.out/flags".into()], new_run, Budget::default(), Box::new(NoListener))?;
//! // A program that calls `howcome_lab::warden::serve` when it is started as a warden.
//! let mut lab = Local::new(LocalOptions::new(warden, std::env::temp_dir()))?;
//! let answer = ask(&mut session, &mut lab, &request, &list, false);
//! if let Ok(Response::Concluded(concluded)) = &answer {
//!     println!("{:?}", concluded.conclusion);
//! }
//! session.close(answer)?;
//! # Ok(())
//! # }
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `list` | a list of items, one a line |
//! | `item_names` | the items that a name in a file of groups or needs stands for |
//! | `subject` | parts of the list, each with a test that gets it |
//! | `request` | what is asked, as `run.json` keeps it |
//! | `question` | from the baseline to the answer |
//! | `revisit` | any test of a run, for people |

// Only the binary prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod item_names;
mod list;
mod question;
mod request;
mod revisit;
mod subject;

pub use item_names::check_relations;
pub use list::ItemList;
pub use question::{ask, warn_about};
pub use request::ItemsRequest;
pub use revisit::{describe, rebuild, recorded_list};
pub use subject::{ITEMS_FILE, ItemsTest};
