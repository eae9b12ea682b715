//! The promises of the searches, held against the papers' tables and against small worlds that are known completely.

mod bisect;
mod bounds;
mod configuration;
mod conversation;
mod every_search;
mod exact;
mod knowledge;
mod levels;
mod minimal;
mod paper;
mod papers;
mod random;

mod split;
mod world;
