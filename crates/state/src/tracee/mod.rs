//! A traced process.
