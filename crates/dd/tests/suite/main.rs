//! Checks the promises of the searches against the papers' tables and against small worlds.
//!
//! A world defines the outcome of every configuration of a few deltas, so that each promise can be checked exhaustively.

mod balanced_table;
mod bisect;
mod bisect_weights;
mod bounds;
mod coarse_to_fine;
mod configuration;
mod conversation;
mod dd_plus;
mod definitions;
mod every_search;
mod exact;
mod knowledge;
mod minimal;
mod narrow;
mod narrow_repairs;
mod paper;
mod papers;
mod propositions;
mod random;
mod recorded_trails;
mod select;
mod split;
mod walk_back;
mod world;
