//! The forms of a report. Each lays out what the [`Account`](crate::Account) says; none words anything of its own.

pub(crate) mod annotations;
pub(crate) mod escape;
pub(crate) mod form;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod json_trail;
pub(crate) mod markdown;
pub(crate) mod paint;
pub(crate) mod sarif;
pub(crate) mod text;
pub(crate) mod trail;
