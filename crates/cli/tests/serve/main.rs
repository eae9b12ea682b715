//! The web service from the outside: the real program, real jobs, real requests.
//!
//! | file | idea |
//! |---|---|
//! | `server`, `requests` | a service that is started for a test; requests as any client sends them |
//! | `questions` | each question is answered, watched, asked further, shared |
//! | `rights` | tokens, other people's jobs, other sites, limits |
//! | `attacks` | programs and uploads that mean harm |
//! | `crashes` | a service that is killed |
//! | `load` | many people at once |
//! | `clients` | the command line as a client |
//! | `nodes` | several services that share a PostgreSQL database |
//! | `browser`, `pages` | a browser, and what is seen in it |

#![cfg(feature = "serve")]
#![allow(clippy::unwrap_used)]

mod attacks;
mod browser;
mod clients;
mod crashes;
mod load;
mod nodes;
mod pages;
mod questions;
mod requests;
mod rights;
mod server;
