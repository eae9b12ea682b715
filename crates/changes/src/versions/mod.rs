//! The versions that are compared: where they come from, and how they are read.
//!
//! | file | idea |
//! |---|---|
//! | `origin` | the versions as the user named them |
//! | `compared` | their trees, and the commits between them |

pub mod compared;
pub mod origin;
