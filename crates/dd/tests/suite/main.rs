//! The promises of the searches, held against the papers' tables and against small worlds that are known completely.

mod paper;
mod papers;
