//! Deltas from files: what could be taken away from an input, or written more simply.
//!
//! You provide a [`Document`] (the files of a failing input) and drive the stages that a [`ReductionPlan`] makes of it; each stage is
//! a set of deltas that one [`Pass`] proposes for what is left, and a search over them. You get ever smaller documents.
//!
//! A delta that is applied leaves the document as it is; one that is not is carried out. So "take everything away that can
//! go" is what every search of `howcome-dd` does anyway.
//!
//! It is not for judging candidates: that is the test's affair.

mod candidates;
mod delta;
mod description;
mod document;
mod input_test;
mod isolation;
mod noticed;
mod packing;
mod pass;
mod passes;
mod plan;
pub mod question;
mod reduction;
mod refused_deltas;
mod simplification;
mod text;
mod trees;

pub use candidates::Candidates;
pub use delta::{Delta, PieceChange};
pub use document::{Document, DocumentFile, DocumentPart, Packing, Piece, PieceId, PieceKind};
/// The languages whose syntax is known.
pub use howcome_syntax::Language;
pub use input_test::InputTest;
pub use isolation::Mixture;
pub use noticed::{NoticedDocuments, NoticedKind};
pub use pass::{Pass, PassInfo, Proposals, Tier};
pub use passes::passes;
pub use plan::{PlannedStage, ReductionPlan};
pub use reduction::{Reduced, reduce};
pub use simplification::simplify;
