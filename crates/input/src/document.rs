//! Documents: the files and folders of an input, and the members of containers among them.

use howcome_run::Content;
use howcome_syntax::{Language, SyntaxTree};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The index of a piece in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PieceId(pub u32);

impl PieceId {
    /// As an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All pieces of an input. Each piece comes before the pieces in it.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pieces: Vec<Piece>,
}

/// A file, a folder, or a member of a container.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its name in its folder or container.
    pub name: OsString,
    /// How many pieces are in it, at any depth.
    pub inside: u32,
    /// The permissions of a file.
    pub mode: u32,
    /// What it is.
    pub kind: PieceKind,
}

/// What a piece is.
#[derive(Clone, Debug)]
pub enum PieceKind {
    /// Bytes.
    Part(Arc<DocumentPart>),
    /// A folder. The pieces in it follow.
    Folder,
    /// A symbolic link.
    Link(PathBuf),
    /// A container, such as a zip file. Its members follow.
    Packed(Arc<dyn Packing>),
}

/// How members are packed into one file. Lengths and checksums are computed each time.
pub trait Packing: fmt::Debug + Send + Sync {
    /// The name of the format: `png`.
    fn format(&self) -> &'static str;
    /// The file with these members: names and contents.
    fn pack(&self, members: &[(&OsStr, Vec<u8>)]) -> Vec<u8>;
    /// Ways to pack the same members into fewer bytes. Some programs might not read such files.
    fn tighter(&self) -> Vec<Arc<dyn Packing>> {
        Vec::new()
    }
}

/// The bytes of one piece, and what is known about them.
#[derive(Debug)]
pub struct DocumentPart {
    bytes: Vec<u8>,
    language: Option<Language>,
    /// Whether it was unpacked before, and nothing more could be removed inside.
    is_closed: bool,
    tree: OnceLock<Option<SyntaxTree>>,
}

impl DocumentPart {
    /// Bytes in a language, if it is known.
    #[must_use]
    pub fn new(bytes: Vec<u8>, language: Option<Language>) -> Self {
        Self { bytes, language, is_closed: false, tree: OnceLock::new() }
    }

    /// The bytes of a file. Its name and its first bytes decide about the language.
    #[must_use]
    pub fn of(name: &OsStr, bytes: Vec<u8>) -> Self {
        let language = Language::of(Path::new(name), &bytes);
        Self::new(bytes, language)
    }

    /// Bytes that are not unpacked again, even if they are a container.
    #[must_use]
    pub fn closed(bytes: Vec<u8>) -> Self {
        Self { is_closed: true, ..Self::new(bytes, None) }
    }

    /// Other bytes in the same language.
    #[must_use]
    pub(crate) fn with(&self, bytes: Vec<u8>) -> Self {
        Self { is_closed: self.is_closed, ..Self::new(bytes, self.language) }
    }

    /// Whether it was unpacked before and must not be unpacked again.
    #[must_use]
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its language, if it is known.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Its syntax tree. `None` if its language is not known, or if it is too large to be parsed.
    #[must_use]
    pub fn tree(&self) -> Option<&SyntaxTree> {
        let parse = || {
            let language = self.language.filter(|_| self.bytes.len() <= LARGEST_PARSED)?;
            language.parse(&self.bytes)
        };
        self.tree.get_or_init(parse).as_ref()
    }
}

/// Larger texts are first cut into lines and chunks.
const LARGEST_PARSED: usize = 8_000_000;

/// A file as it is written for a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentFile {
    /// A regular file: its content and its permissions.
    Bytes(Vec<u8>, u32),
    /// A folder.
    Folder,
    /// A symbolic link.
    Link(PathBuf),
}

impl Document {
    /// A document of these pieces.
    #[must_use]
    pub fn new(pieces: Vec<Piece>) -> Self {
        Self { pieces }
    }

    /// A document of one file.
    #[must_use]
    pub fn of_file(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        let kind = PieceKind::Part(Arc::new(DocumentPart::of(name.as_ref(), bytes.into())));
        Self::new(vec![Piece { name: name.into(), inside: 0, mode: 0o644, kind }])
    }

    /// All pieces.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// One piece.
    #[must_use]
    pub fn piece(&self, id: PieceId) -> &Piece {
        &self.pieces[id.index()]
    }

    /// All pieces that are bytes, with their indexes.
    pub fn parts(&self) -> impl Iterator<Item = (PieceId, &Arc<DocumentPart>)> {
        self.pieces.iter().enumerate().filter_map(|(index, piece)| match &piece.kind {
            PieceKind::Part(part) => Some((PieceId(index as u32), part)),
            _ => None,
        })
    }

    /// Its files, folders and links with their paths, each folder before its entries. Members of containers are not included.
    #[must_use]
    pub fn entries(&self) -> Vec<(PathBuf, PieceId)> {
        let mut entries = Vec::new();
        let mut folders: Vec<(usize, PathBuf)> = Vec::new();
        let mut at = 0;
        while let Some(piece) = self.pieces.get(at) {
            while folders.last().is_some_and(|(end, _)| *end <= at) {
                folders.pop();
            }
            let path =
                folders.last().map_or_else(|| PathBuf::from(&piece.name), |(_, path)| path.join(&piece.name));
            let end = at + 1 + piece.inside as usize;
            entries.push((path.clone(), PieceId(at as u32)));
            if matches!(piece.kind, PieceKind::Folder) {
                folders.push((end, path));
                at += 1;
            } else {
                at = end;
            }
        }
        entries
    }

    /// Its files, folders and links as they are written for a test.
    #[must_use]
    pub fn files(&self) -> Vec<(PathBuf, DocumentFile)> {
        let file = |id: PieceId| match &self.piece(id).kind {
            PieceKind::Folder => DocumentFile::Folder,
            PieceKind::Link(target) => DocumentFile::Link(target.clone()),
            PieceKind::Part(_) | PieceKind::Packed(_) => {
                DocumentFile::Bytes(self.bytes_of(id), self.piece(id).mode)
            }
        };
        self.entries().into_iter().map(|(path, id)| (path, file(id))).collect()
    }

    /// The bytes of a file or of a member.
    #[must_use]
    pub fn bytes_of(&self, id: PieceId) -> Vec<u8> {
        let piece = self.piece(id);
        match &piece.kind {
            PieceKind::Part(part) => part.bytes().to_vec(),
            PieceKind::Folder | PieceKind::Link(_) => Vec::new(),
            PieceKind::Packed(packing) => {
                let mut members = Vec::new();
                let mut at = id.0 + 1;
                // The recursion is not deep, since the pass `unpack` limits how deep containers are unpacked.
                while at <= id.0 + piece.inside {
                    let member = self.piece(PieceId(at));
                    members.push((member.name.as_os_str(), self.bytes_of(PieceId(at))));
                    at += 1 + member.inside;
                }
                packing.pack(&members)
            }
        }
    }

    /// The first file as text. Bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn text(&self) -> String {
        let bytes = if self.pieces.is_empty() { Vec::new() } else { self.bytes_of(PieceId(0)) };
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Whether it has a container, so that its size is not the sum of the sizes of its parts.
    #[must_use]
    pub(crate) fn is_packed(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece.kind, PieceKind::Packed(_)))
    }

    /// The sum of the sizes of its files.
    #[must_use]
    pub fn size(&self) -> u64 {
        let mut size = 0;
        let mut at = 0;
        while let Some(piece) = self.pieces.get(at) {
            at += 1;
            match &piece.kind {
                PieceKind::Part(part) => size += part.bytes().len() as u64,
                PieceKind::Packed(_) => {
                    size += self.bytes_of(PieceId(at as u32 - 1)).len() as u64;
                    at += piece.inside as usize;
                }
                PieceKind::Folder | PieceKind::Link(_) => {}
            }
        }
        size
    }

    /// The hash of the names and the bytes of its files.
    pub(crate) fn content(&self) -> Content {
        let files = self.files();
        let mut sizes = Vec::with_capacity(files.len());
        for (_, file) in &files {
            sizes.push(match file {
                DocumentFile::Bytes(bytes, _) => (bytes.len() as u64).to_le_bytes(),
                DocumentFile::Folder => u64::MAX.to_le_bytes(),
                DocumentFile::Link(_) => (u64::MAX - 1).to_le_bytes(),
            });
        }
        Content::of(files.iter().zip(&sizes).flat_map(|((path, file), size)| {
            let bytes: &[u8] = match file {
                DocumentFile::Bytes(bytes, _) => bytes,
                DocumentFile::Folder => b"",
                DocumentFile::Link(target) => target.as_os_str().as_bytes(),
            };
            [path.as_os_str().as_bytes(), b"\0", size.as_slice(), bytes]
        }))
    }

    /// Writes all files into a folder.
    ///
    /// # Errors
    /// The path of a file that could not be written, and the reason.
    pub fn write(&self, folder: &Path) -> Result<(), (PathBuf, io::Error)> {
        self.write_to(|path| folder.join(path))
    }

    /// Writes all files to the paths that a function gives them.
    pub(crate) fn write_to(&self, place: impl Fn(&Path) -> PathBuf) -> Result<(), (PathBuf, io::Error)> {
        for (path, file) in self.files() {
            let path = place(&path);
            file.write(&path).map_err(|error| (path, error))?;
        }
        Ok(())
    }
}

impl DocumentFile {
    fn write(&self, path: &Path) -> io::Result<()> {
        match self {
            DocumentFile::Folder => fs::DirBuilder::new().recursive(true).mode(0o755).create(path),
            DocumentFile::Link(target) => symlink(target, path),
            DocumentFile::Bytes(bytes, mode) => {
                let mut options = fs::OpenOptions::new();
                options.write(true).create(true).truncate(true).mode(*mode | 0o600);
                let mut file = options.open(path)?;
                file.write_all(bytes)?;
                // Otherwise the permissions would depend on the user's mask.
                file.set_permissions(fs::Permissions::from_mode(*mode | 0o600))
            }
        }
    }
}
