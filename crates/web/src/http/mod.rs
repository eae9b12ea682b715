//! What the service answers over HTTP.
//!
//! | file | idea |
//! |---|---|
//! | `router` | which address leads where |
//! | `guard` | what every request passes: host, origin, rate, time, headers, log |
//! | `caller` | who asks |
//! | `answer` | pages and refusals as responses |
//! | `home`, `job_pages`, `job_actions` | the pages and the buttons on them |
//! | `before` | how a step of a chain came to be, on the page |
//! | `downloads`, `events` | files of a job; its progress, live |
//! | `api`, `api_description`, `api_types` | the interface for programs; its description; what it sends and receives |
//! | `operator` | health, metrics, status |
//! | `assets` | style and script |

mod answer;
mod api;
mod api_description;
pub(crate) mod api_types;
mod assets;
mod before;
mod caller;
mod downloads;
mod events;
mod guard;
mod home;
mod job_actions;
mod job_pages;
mod operator;
mod router;

pub use api_types::{CreatedJob, JobInfo};
pub(crate) use router::router;
