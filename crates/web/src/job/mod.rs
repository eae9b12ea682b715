//! What a job is, apart from its row: what was asked, the folder with its files, the commands that it runs.
//!
//! | file | idea |
//! |---|---|
//! | `submission` | what somebody asks, as JSON |
//! | `commands` | the same as commands to run |
//! | `folder` | where the files of a job are |
//! | `guarded_file` | reading files that the job itself can write |
//! | `archive` | unpacking uploads |
//! | `upload` | receiving a submission with its files |
//! | `files_check` | whether the files are there that the question is about |
//! | `example` | samples that are one click away |

pub(crate) mod archive;
pub(crate) mod commands;
pub(crate) mod example;
pub(crate) mod files_check;
pub(crate) mod folder;
pub(crate) mod guarded_file;
pub(crate) mod submission;
pub(crate) mod upload;
