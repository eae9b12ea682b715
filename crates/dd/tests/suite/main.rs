//! The promises of the searches, held against the papers' tables and against small worlds that are known completely.

mod balanced_table;
mod bisect;
mod bisect_favouring;
mod bounds;
mod configuration;
mod conversation;
mod definitions;
mod every_search;
mod exact;
mod knowledge;
mod levels;
mod minimal;
mod narrow;
mod narrow_repairs;
mod paper;
mod papers;
mod random;
mod select;
mod split;
mod walk_back;
mod world;
