//! Round trips through every format, broken files, and checks by real programs.

use super::*;
use crate::{Document, Packing, PieceId};
use proptest::prelude::*;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

const ROOM: usize = 1 << 20;

fn opened(name: &str, bytes: &[u8]) -> Option<Document> {
    open(name.as_ref(), 0o644, bytes, ROOM).map(Document::new)
}

fn packed(document: &Document) -> Vec<u8> {
    document.bytes_of(PieceId(0))
}

fn names(document: &Document) -> Vec<String> {
    document.pieces()[1..].iter().map(|piece| piece.name.to_string_lossy().into_owned()).collect()
}

/// The name, the number of pieces inside and the content of each piece.
fn told(document: &Document) -> Vec<(OsString, u32, Vec<u8>)> {
    let content = |piece: &Piece| match &piece.kind {
        PieceKind::Part(part) => part.bytes().to_vec(),
        _ => Vec::new(),
    };
    document.pieces().iter().map(|piece| (piece.name.clone(), piece.inside, content(piece))).collect()
}

/// The output of a program that reads `input`. `None` if the program is not installed: then the test is recorded as skipped.
#[track_caller]
fn asked(program: &str, arguments: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    if !howcome_testing::need_program(program) {
        return None;
    }
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{program} {arguments:?} rejects it");
    Some(output.stdout)
}

/// The output of a program that gets the path of a file.
#[track_caller]
fn asked_about(program: &str, arguments: &[&str], file: &[u8]) -> Option<Vec<u8>> {
    let mut kept = tempfile::NamedTempFile::new().unwrap();
    kept.write_all(file).unwrap();
    let path = kept.path().to_str().unwrap().to_owned();
    let arguments: Vec<&str> =
        arguments.iter().map(|argument| if *argument == "{}" { &path } else { *argument }).collect();
    asked(program, &arguments, b"")
}

fn chunk(kind: &str, content: &[u8]) -> Vec<u8> {
    // The checksum is wrong.
    [&(content.len() as u32).to_be_bytes(), kind.as_bytes(), content, &[0; 4]].concat()
}

fn png(chunks: &[Vec<u8>]) -> Vec<u8> {
    [&b"\x89PNG\r\n\x1a\n"[..], &chunks.concat()].concat()
}

/// A row of three white pixels, cut into two chunks.
fn white() -> Vec<u8> {
    let header = PngHeader { width: 3, height: 1, depth: 1, colour: 0, interlaced: false };
    let rows =
        [&[0x78, 0x9c][..], &deflate::Deflated::default().deflate(&[0, 0xe0]), &[0x00, 0xe2, 0x00, 0xe1]]
            .concat();
    let (first, second) = rows.split_at(5);
    let text = chunk("tEXt", b"Comment\0hello");
    png(&[
        chunk("IHDR", &header.bytes()),
        text,
        chunk("IDAT", first),
        chunk("IDAT", second),
        chunk("IEND", b""),
    ])
}

#[test]
fn a_png_is_its_chunks_with_the_image_in_one() {
    let image = opened("white.png", &white()).unwrap();
    assert_eq!(names(&image), ["IHDR", "tEXt", "IDAT", "IEND"]);
    let rows = opened("IDAT", &image.bytes_of(PieceId(3))).unwrap();
    assert_eq!(rows.bytes_of(PieceId(1)), [0, 0xe0]);
    asked_about("pngcheck", &["-q", "{}"], &packed(&image));
}

#[test]
fn bytes_after_the_last_whole_chunk_of_a_png_stay_there() {
    let broken = [white(), b"\0\0\0\x09IDATrest".to_vec()].concat();
    let image = opened("broken.png", &broken).unwrap();
    assert_eq!(names(&image).last().unwrap(), "trailing");
    assert!(packed(&image).ends_with(b"IDATrest"));
}

fn archive(names: &[&str]) -> Option<Vec<u8>> {
    let script = "import sys,zipfile,io\nb=io.BytesIO()\nz=zipfile.ZipFile(b,'w',zipfile.ZIP_DEFLATED)\n\
        for n in sys.argv[1:]: z.writestr(n,(n+'\\n')*50 if n[-1]!='/' else '')\nz.close()\nsys.stdout.buffer.write(b.getvalue())";
    asked("python3", &[&["-c", script], names].concat(), b"")
}

#[test]
fn a_zip_is_its_members_and_other_programs_read_it_when_it_is_packed_again() {
    let Some(zip) = archive(&["a/", "a/one.py", "a/two.py", "three.txt"]) else { return };
    let document = opened("all.zip", &zip).unwrap();
    assert_eq!(names(&document), ["a/", "a/one.py", "a/two.py", "three.txt"]);
    assert_eq!(document.bytes_of(PieceId(2)), "a/one.py\n".repeat(50).as_bytes());
    assert!(document.size() <= zip.len() as u64);
    let list = asked_about("python3", &["-m", "zipfile", "-t", "{}"], &packed(&document));
    assert_eq!(list.unwrap(), b"Done testing\n");
    asked_about("unzip", &["-tq", "{}"], &packed(&document));
}

#[test]
fn a_zip_of_two_files_of_one_name_keeps_both() {
    let Some(zip) = archive(&["twin", "twin"]) else { return };
    let document = opened("all.zip", &zip).unwrap();
    assert_eq!(names(&document), ["twin", "twin/2"]);
    let again = opened("all.zip", &packed(&document)).unwrap();
    assert_eq!(told(&again), told(&document));
}

#[test]
fn any_number_of_members_can_have_the_same_name() {
    let contents: Vec<(&OsStr, Vec<u8>)> = vec![("twin".as_ref(), Vec::new()); 60_000];
    let document = opened("twins.zip", &zip::empty().pack(&contents)).unwrap();
    assert_eq!(names(&document).last().unwrap(), "twin/60000");
}

#[test]
fn a_tar_is_its_files_and_tar_reads_what_is_packed_again() {
    let folder = tempfile::tempdir().unwrap();
    let long = "long".repeat(40);
    std::fs::create_dir(folder.path().join("d")).unwrap();
    std::fs::write(folder.path().join("d/one"), "one").unwrap();
    std::fs::write(folder.path().join("d").join(&long), "two").unwrap();
    std::os::unix::fs::symlink("one", folder.path().join("d/to-one")).unwrap();
    for format in ["gnu", "pax"] {
        let arguments = ["-C", folder.path().to_str().unwrap(), "--sort=name", "--format", format, "-c", "d"];
        let Some(tar) = asked("tar", &arguments, b"") else { return };
        let document = opened("d.tar", &tar).unwrap();
        let long = format!("d/{long}");
        assert_eq!(names(&document), ["d/", &long, "d/one", "d/to-one"], "{format}");
        assert!(document.size() < tar.len() as u64);
        let list = asked("tar", &["-t"], &packed(&document)).unwrap();
        assert_eq!(String::from_utf8(list).unwrap(), format!("d/\n{long}\nd/one\nd/to-one\n"));
        let one = asked("tar", &["-xO", "d/one"], &packed(&document)).unwrap();
        assert_eq!(one, b"one");
    }
}

#[test]
fn a_gzip_of_two_parts_is_two_members_and_gzip_reads_it() {
    let Some(first) = asked("gzip", &["-c"], &[b'a'; 1000]) else { return };
    let second = asked("gzip", &["-c"], b"second").unwrap();
    let document = opened("both.txt.gz", &[first, second].concat()).unwrap();
    assert_eq!(names(&document), ["both.txt", "both.txt"]);
    let both = asked("gzip", &["-cd"], &packed(&document)).unwrap();
    assert_eq!(both, [&[b'a'; 1000][..], b"second"].concat());
}

#[test]
fn lengths_around_a_smaller_element_are_computed_again() {
    let long = [&[0x30, 0x82, 0x00, 0x8a, 0x30, 0x81, 0x87, 0x04, 0x81, 0x84][..], &[7; 0x84]].concat();
    let document = opened("key.der", &long).unwrap();
    assert_eq!(names(&document), ["30", "30", "04"]);
    let shorter = crate::delta::PieceChanges::of(&[crate::Delta::cut(PieceId(3), 2..0x84)]);
    let shorter = shorter.apply(&document, |_| true);
    assert_eq!(packed(&shorter), [0x30, 6, 0x30, 4, 0x04, 2, 7, 7]);
}

#[test]
fn texts_are_not_der() {
    assert!(opened("text", b"0\n12345678\n").is_none());
}

#[test]
fn blocks_of_pem_are_opened_and_the_text_around_them_stays() {
    let text = "before\n-----BEGIN A B-----\nAAEC\nAwQ=\n-----END A B-----\nbetween\n-----BEGIN C-----\n?\n-----END C-----\n";
    let document = opened("all.pem", text.as_bytes()).unwrap();
    assert_eq!(names(&document), ["text", "BEGIN A B", "text"]);
    assert_eq!(document.bytes_of(PieceId(2)), [0, 1, 2, 3, 4]);
    assert_eq!(packed(&document), text.as_bytes());
}

/// One file of each format, made without any program.
fn examples() -> Vec<Vec<u8>> {
    let contents: [(&OsStr, Vec<u8>); 2] =
        [("a/b".as_ref(), b"text\n".repeat(30)), (OsStr::from_bytes(b"\xff"), vec![0; 100])];
    let mut header = [0; 512];
    header[..3].copy_from_slice(b"a/b");
    header[124..136].copy_from_slice(b"00000000003\0");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum::<u32>() + 8 * 32;
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let tar = [&header[..], b"abc", &[0; 509 + 1024]].concat();
    vec![
        white(),
        tar,
        zip::empty().pack(&contents),
        gzip::empty().pack(&contents),
        zlib::empty().pack(&contents[..1]),
        vec![0x30, 9, 0x02, 1, 5, 0x31, 4, 0x9f, 0x81, 0x01, 0],
        b"-----BEGIN A-----\nAAEC\n-----END A-----\n".to_vec(),
    ]
}

#[test]
fn every_format_opens_its_example() {
    for example in examples() {
        let document = opened("example", &example).unwrap();
        assert_eq!(told(&opened("example", &packed(&document)).unwrap()), told(&document));
    }
}

proptest! {
    #[test]
    fn broken_files_never_cause_a_panic(
        which in 0usize..7,
        places in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        end in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let mut file = examples().swap_remove(which);
        for (place, byte) in places {
            let place = place.index(file.len());
            file[place] = byte;
        }
        if cut {
            file.truncate(end.index(file.len()));
        }
        if let Some(document) = opened("broken", &file) {
            let again = opened("broken", &packed(&document));
            prop_assert_eq!(again.map(|again| told(&again)), Some(told(&document)));
        }
    }

    #[test]
    fn base64_is_decoded_to_what_was_encoded(bytes in proptest::collection::vec(any::<u8>(), 1..100)) {
        let der = pem::wrapped(&bytes);
        prop_assert_eq!(opened("f", &der).unwrap().bytes_of(PieceId(1)), bytes);
    }
}
