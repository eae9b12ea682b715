//! Made-up programs.
