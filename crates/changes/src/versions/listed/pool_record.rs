//! The record of a revision in a pool: its files by the hashes of their bytes.

use crate::trees::entry::EntryKind;
use crate::trees::tree_path::TreePath;
use howcome_run::Content;

/// The record of a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PoolRecord {
    /// Its files, in the order of their paths.
    Files(Vec<PooledFile>),
    /// It is not available, for this reason.
    Absent(String),
}

/// A file, or a symbolic link, of a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PooledFile {
    pub(super) path: TreePath,
    pub(super) kind: EntryKind,
    /// The hash of its bytes, in hexadecimal digits.
    pub(super) hash: String,
    pub(super) size: u64,
}

/// The first bytes of a record. They name the version of the format.
const MAGIC: &[u8] = b"howcome revision 1\n";

const FILES: &[u8] = b"files";
const ABSENT: &[u8] = b"absent";

/// The number of digits of the hash at the end of a record.
const HASH_DIGITS: usize = 32;

impl PoolRecord {
    /// As the bytes of a file: fields that end with a NUL, then the hash of all of them. Paths need not be text.
    pub(super) fn encode(&self, name: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut field = |text: &[u8]| {
            bytes.extend_from_slice(text);
            bytes.push(0);
        };
        field(name.as_bytes());
        match self {
            PoolRecord::Absent(why) => {
                field(ABSENT);
                // A NUL would end the field.
                field(why.replace('\0', " ").as_bytes());
            }
            PoolRecord::Files(files) => {
                field(FILES);
                for PooledFile { path, kind, hash, size } in files {
                    let head = format!("{} {hash} {size} ", kind.git_mode());
                    field(&[head.as_bytes(), path.as_bytes()].concat());
                }
            }
        }
        let hash = Content::of([bytes.as_slice()]).to_string();
        bytes.extend_from_slice(hash.as_bytes());
        bytes
    }

    /// Reads the record of the revision of this name; `None` if it is damaged.
    pub(super) fn decode(name: &str, bytes: &[u8]) -> Option<Self> {
        let (said, hash) = bytes.split_at_checked(bytes.len().checked_sub(HASH_DIGITS)?)?;
        if Content::of([said]).to_string().as_bytes() != hash {
            return None;
        }
        let fields = said.strip_prefix(MAGIC)?.strip_suffix(&[0])?;
        let mut fields = fields.split(|byte| *byte == 0);
        if fields.next()? != name.as_bytes() {
            return None;
        }
        match fields.next()? {
            ABSENT => Some(PoolRecord::Absent(String::from_utf8_lossy(fields.next()?).into_owned())),
            FILES => fields.map(file).collect::<Option<_>>().map(PoolRecord::Files),
            _ => None,
        }
    }
}

fn file(field: &[u8]) -> Option<PooledFile> {
    let mut words = field.splitn(4, |byte| *byte == b' ');
    let mut text = || std::str::from_utf8(words.next()?).ok();
    let (mode, hash, size) = (text()?, text()?, text()?);
    let kinds = [EntryKind::PLAIN, EntryKind::File { executable: true }, EntryKind::Symlink];
    let kind = kinds.into_iter().find(|kind| kind.git_mode() == mode)?;
    let is_hash = hash.len() == HASH_DIGITS && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
    let path = TreePath::new(words.next()?).ok()?;
    is_hash.then_some(PooledFile { path, kind, hash: hash.to_owned(), size: size.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> PoolRecord {
        let file = |path: &[u8], kind, content: &[u8]| PooledFile {
            path: TreePath::new(path).unwrap(),
            kind,
            hash: Content::of([content]).to_string(),
            size: content.len() as u64,
        };
        PoolRecord::Files(vec![
            file(b"a name with blanks\nand a line", EntryKind::PLAIN, b"one"),
            file(b"b/\xff\xfe", EntryKind::File { executable: true }, b""),
            file(b"c", EntryKind::Symlink, b"b"),
        ])
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        for record in
            [record(), PoolRecord::Absent("gone\nforever".to_owned()), PoolRecord::Files(Vec::new())]
        {
            assert_eq!(PoolRecord::decode("r 1", &record.encode("r 1")), Some(record));
        }
    }

    #[test]
    fn a_damaged_record_is_not_read() {
        let whole = record().encode("r1");
        for length in 0..whole.len() {
            assert_eq!(PoolRecord::decode("r1", &whole[..length]), None, "{length}");
        }
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            assert_eq!(PoolRecord::decode("r1", &damaged), None, "{place}");
        }
        assert_eq!(PoolRecord::decode("r2", &whole), None, "that of another revision");
    }
}
