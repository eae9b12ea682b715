//! PNG and zip files: lengths and checksums are right in every candidate. Readers of their own check that.

use howcome_input::{Document, DocumentFile, passes, simplify};

fn bytes(document: &Document) -> Vec<u8> {
    match document.files().as_slice() {
        [(_, DocumentFile::Bytes(bytes, _))] => bytes.clone(),
        _ => Vec::new(),
    }
}

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let named = [kind, content].concat();
    [&(content.len() as u32).to_be_bytes(), named.as_slice(), &crc32fast::hash(&named).to_be_bytes()].concat()
}

/// The chunks of an image, if all lengths and checksums are right.
fn chunks(bytes: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
    let mut rest = bytes.strip_prefix(SIGNATURE)?;
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        let named = after.get(..length.checked_add(4)?)?;
        let (sum, after) = after[named.len()..].split_first_chunk::<4>()?;
        if crc32fast::hash(named) != u32::from_be_bytes(*sum) {
            return None;
        }
        chunks.push(named.split_at(4));
        rest = after;
    }
    Some(chunks)
}

#[test]
fn only_the_needed_chunks_of_an_image_are_left() {
    let (width, height) = (60_u32, 40_u32);
    let header = [width.to_be_bytes().as_slice(), &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let row = |y: u32| {
        std::iter::once(0)
            .chain((0..3 * width).map(move |x| (x * y).wrapping_mul(2_654_435_761).to_be_bytes()[0]))
    };
    let pixels: Vec<u8> = (0..height).flat_map(row).collect();
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, &pixels).unwrap();
    let image = [
        SIGNATURE.to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"gAMA", &45_455_u32.to_be_bytes()),
        chunk(b"tEXt", b"Comment\0a long text that says nothing needle and goes on"),
        chunk(b"tEXt", b"Author\0somebody"),
        chunk(b"IDAT", &encoder.finish().unwrap()),
        chunk(b"IEND", b""),
    ]
    .concat();
    let fails = |bytes: &[u8]| {
        chunks(bytes).is_some_and(|chunks| {
            let starts =
                chunks.first().is_some_and(|(kind, content)| *kind == b"IHDR" && content.len() == 13);
            let of_text = |(kind, content): &(&[u8], &[u8])| {
                *kind == b"tEXt" && content.windows(6).any(|window| window == b"needle")
            };
            starts && chunks.iter().any(of_text)
        })
    };
    assert!(fails(&image));
    let simplified =
        simplify(&Document::of_file("image.png", image), passes(), |document| fails(&bytes(document)));
    let result = bytes(&simplified.document);
    assert!(fails(&result));
    let left = chunks(&result).unwrap();
    let kinds: Vec<&[u8]> = left.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [b"IHDR", b"tEXt"]);
    assert_eq!(left[1].1, b"needle");
}

/// Names and contents of the members of an archive, none of them compressed.
fn members(bytes: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let number = |at: usize, width: usize| -> Option<usize> {
        let bytes = bytes.get(at..at + width)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    };
    let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let mut at = number(end + 16, 4)?;
    let mut members = Vec::new();
    for _ in 0..number(end + 10, 2)? {
        if bytes.get(at..at + 4)? != b"PK\x01\x02" {
            return None;
        }
        let (sum, packed, name) = (number(at + 16, 4)?, number(at + 20, 4)?, number(at + 28, 2)?);
        let skipped = number(at + 30, 2)? + number(at + 32, 2)?;
        let local = number(at + 42, 4)?;
        let start = local + 30 + number(local + 26, 2)? + number(local + 28, 2)?;
        let content = match number(at + 10, 2)? {
            0 => bytes.get(start..start + packed)?.to_vec(),
            _ => {
                let mut content = Vec::new();
                let mut decoder = flate2::read::DeflateDecoder::new(bytes.get(start..start + packed)?);
                std::io::Read::read_to_end(&mut decoder, &mut content).ok()?;
                content
            }
        };
        if crc32fast::hash(&content) as usize != sum {
            return None;
        }
        members.push((bytes.get(at + 46..at + 46 + name)?.to_vec(), content));
        at += 46 + name + skipped;
    }
    Some(members)
}

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in members {
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend(crc32fast::hash(content).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((content.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        directory.extend([b"PK\x01\x02\x14\0".as_slice(), &common, &[0; 10]].concat());
        directory.extend((file.len() as u32).to_le_bytes());
        directory.extend(name.as_bytes());
        file.extend([b"PK\x03\x04".as_slice(), &common, name.as_bytes(), content].concat());
    }
    let count = (members.len() as u16).to_le_bytes();
    let start = (file.len() as u32).to_le_bytes();
    let size = (directory.len() as u32).to_le_bytes();
    [&file, &directory, b"PK\x05\x06\0\0\0\0".as_slice(), &count, &count, &size, &start, &[0, 0]].concat()
}

#[test]
fn only_the_needed_members_of_an_archive_are_left() {
    let source = include_bytes!("formats/input.c");
    let notes = include_bytes!("formats/input.txt");
    let packed =
        archive(&[("a/input.c", source), ("a/notes.txt", notes), ("b/other.txt", notes), ("c", b"")]);
    let fails = |bytes: &[u8]| {
        members(bytes).is_some_and(|members| {
            members.iter().any(|(name, content)| {
                name == b"a/notes.txt" && content.windows(5).any(|window| window == b"plums")
            })
        })
    };
    assert!(fails(&packed));
    let simplified =
        simplify(&Document::of_file("all.zip", packed), passes(), |document| fails(&bytes(document)));
    let result = bytes(&simplified.document);
    assert_eq!(members(&result), Some(vec![(b"a/notes.txt".to_vec(), b"plums".to_vec())]));
}
