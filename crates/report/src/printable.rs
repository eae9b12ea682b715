//! Texts as people read them.

pub(crate) use howcome_run::words::{
    compact, cut, cut_middle, cut_to_difference, printable, printable_lines, shell_word,
};
