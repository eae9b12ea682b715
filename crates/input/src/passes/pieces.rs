//! Removes whole pieces: files, folders, links, members of archives, chunks of PNG files.

use crate::{Delta, Document, Pass, PassInfo, PieceId, Proposals, Tier};
use howcome_run::Unit;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;

/// Removes pieces.
pub(super) struct PiecesPass;

impl Pass for PiecesPass {
    fn info(&self) -> PassInfo {
        PassInfo {
            name: "pieces",
            about: "remove folders, files, members of archives, and chunks of PNG files",
            unit: Unit::File,
            tier: Tier::Coarse,
        }
    }

    /// A folder comes before its entries, so that it is a group of deltas. Folders that only occur in the names of an
    /// archive's members are groups without a delta of their own.
    fn proposals(&self, document: &Document) -> Proposals {
        let mut groups = FolderGroups::default();
        let mut deltas = Vec::new();
        let pieces = document.pieces();
        for (at, piece) in pieces.iter().enumerate() {
            groups.close(at, deltas.len());
            let end = at + 1 + piece.inside as usize;
            // A document without any piece is not a candidate.
            if end - at == pieces.len() {
                continue;
            }
            groups.go_to(piece.name.as_bytes(), deltas.len());
            groups.open.push(OpenGroup { start: deltas.len(), bounds: GroupBounds::Piece(end) });
            deltas.push(Delta::drop(PieceId(at as u32)));
        }
        groups.close(usize::MAX, deltas.len());
        Proposals { deltas, levels: groups.levels, complete_in: Some(Unit::File) }
    }
}

/// Groups of deltas that are in one folder, by depth.
#[derive(Default)]
struct FolderGroups<'a> {
    open: Vec<OpenGroup<'a>>,
    levels: Vec<Vec<Range<u32>>>,
}

struct OpenGroup<'a> {
    /// Its first delta.
    start: usize,
    bounds: GroupBounds<'a>,
}

enum GroupBounds<'a> {
    /// The first piece after a folder or container.
    Piece(usize),
    /// A folder in the names of members, up to its slash.
    Folder(&'a [u8]),
}

impl<'a> FolderGroups<'a> {
    /// Closes the pieces that end before this one, and the folders in them.
    fn close(&mut self, at: usize, next: usize) {
        let is_over = |open: &OpenGroup<'_>| matches!(open.bounds, GroupBounds::Piece(end) if end <= at);
        if let Some(first) = self.open.iter().position(is_over) {
            self.close_from(first, next);
        }
        if at == usize::MAX {
            self.close_from(0, next);
        }
    }

    /// Closes the folders that a member is not in, and opens those that it is in.
    fn go_to(&mut self, name: &'a [u8], next: usize) {
        let siblings = self.open.iter().rposition(|open| matches!(open.bounds, GroupBounds::Piece(_)));
        let folders = siblings.map_or(0, |piece| piece + 1);
        let is_outside = |open: &OpenGroup<'_>| matches!(open.bounds, GroupBounds::Folder(folder) if !name.starts_with(folder));
        if let Some(first) = self.open[folders..].iter().position(is_outside) {
            self.close_from(folders + first, next);
        }
        let inside = match self.open[folders..].last() {
            Some(OpenGroup { bounds: GroupBounds::Folder(folder), .. }) => folder.len(),
            _ => 0,
        };
        let slashes = (inside..name.len()).filter(|at| name[*at] == b'/');
        // Deeper folders belong to the group of the folder around them.
        let room = DEEPEST.saturating_sub(self.open.len());
        let opened =
            slashes.take(room).map(|at| OpenGroup { start: next, bounds: GroupBounds::Folder(&name[..=at]) });
        self.open.extend(opened);
    }

    fn close_from(&mut self, first: usize, next: usize) {
        for (level, open) in self.open.drain(first..).enumerate() {
            let level = first + level;
            if self.levels.len() <= level {
                self.levels.resize(level + 1, Vec::new());
            }
            self.levels[level].push(open.start as u32..next as u32);
        }
    }
}

/// How many folders of a name count: names can consist of 65,535 slashes.
const DEEPEST: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DocumentPart, Piece, PieceKind, simplify};
    use std::sync::Arc;

    fn piece(name: String, inside: u32) -> Piece {
        let kind = match inside {
            0 => PieceKind::Part(Arc::new(DocumentPart::new(b"text".to_vec(), None))),
            _ => PieceKind::Folder,
        };
        Piece { name: name.into(), inside, mode: 0o644, kind }
    }

    /// A folder with a hundred folders of a hundred files each.
    fn folder() -> Document {
        let mut pieces = vec![piece("root".into(), 100 * 101)];
        for folder in 0..100 {
            pieces.push(piece(format!("d{folder}"), 100));
            pieces.extend((0..100).map(|file| piece(format!("f{file}"), 0)));
        }
        Document::new(pieces)
    }

    #[test]
    fn the_two_needed_files_of_ten_thousand_are_left() {
        let needed = ["root/d17/f3", "root/d80/f99"];
        let simplified = simplify(&folder(), vec![Arc::new(PiecesPass)], |document| {
            let files = document.files();
            needed.iter().all(|needed| files.iter().any(|(path, _)| path.to_str() == Some(needed)))
        });
        let files = simplified.document.files();
        let names: Vec<&str> = files.iter().filter_map(|(path, _)| path.to_str()).collect();
        assert_eq!(names, ["root", "root/d17", "root/d17/f3", "root/d80", "root/d80/f99"]);
        assert!(simplified.tests < 120, "{}", simplified.tests);
    }

    #[test]
    fn folders_that_only_occur_in_names_are_groups() {
        let names = ["a/x", "a/b/y", "a/b/z", "c", "d/", "d/e"];
        let mut pieces = vec![piece("all".into(), 6)];
        pieces.extend(names.map(|name| piece(name.into(), 0)));
        let proposals = PiecesPass.proposals(&Document::new(pieces));
        assert_eq!(proposals.deltas.len(), 6);
        let run = |levels: &[Range<u32>], run: Range<u32>| levels.contains(&run);
        assert!(run(&proposals.levels[0], 0..3) && run(&proposals.levels[0], 4..6));
        assert!(run(&proposals.levels[1], 1..3) && run(&proposals.levels[0], 3..4));
    }
}
