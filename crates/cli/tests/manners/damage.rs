//! SWF files that are damaged, lie about their sizes, or are larger than the limits.

use crate::command::{Done, fed, run};
use flate2::write::ZlibEncoder;
use std::io::Write;

/// A tag with its data.
fn tag(code: u16, data: &[u8]) -> Vec<u8> {
    let size = u32::try_from(data.len()).unwrap();
    [&(code << 6 | 63).to_le_bytes()[..], &size.to_le_bytes(), data].concat()
}

/// A tag with binary data.
fn binary(character: u16, data: &[u8]) -> Vec<u8> {
    tag(87, &[&character.to_le_bytes()[..], &[0; 4], data].concat())
}

fn body(tags: &[Vec<u8>]) -> Vec<u8> {
    let frame = [0, 0, 24, 1, 0];
    [&frame[..], &tags.concat(), &tag(0, &[])].concat()
}

/// A SWF whose header states a size.
fn stated(magic: &[u8; 3], body: &[u8], size: usize) -> Vec<u8> {
    let size = u32::try_from(size).unwrap().to_le_bytes();
    [&magic[..], &[9], &size, body].concat()
}

fn plain(body: &[u8]) -> Vec<u8> {
    stated(b"FWS", body, body.len() + 8)
}

fn zlib(body: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// A zlib stream that is whole up to the end of `sound`, and broken after it.
fn broken(sound: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(sound).unwrap();
    encoder.flush().unwrap();
    [encoder.get_ref(), &[0xff; 64][..]].concat()
}

fn program() -> Vec<u8> {
    run("asm examples/lit.vert.agal").out
}

/// Runs a verb on a SWF, and holds its output to be free of errors.
fn on(verb: &str, swf: &[u8]) -> Done {
    let done = fed(verb, swf);
    let text = String::from_utf8_lossy(&done.out);
    assert!(!text.contains("error[") && !text.contains("warning["), "{verb}: {text}");
    done
}

/// The verbs that work on all of a file, and those that work on its first program.
const ALL: [&str; 4] = ["identify -", "identify - --json", "dis", "dis --json"];
const FIRST: [&str; 5] = [
    "extract",
    "translate --to wgsl",
    "run --input tests/swf/vertex.json",
    "dis --program 1",
    "dis --cfg dot",
];

#[test]
fn damage_after_a_program_is_a_warning() {
    let whole = body(&[binary(1, &program()), binary(2, &[7; 2000])]);
    let cut = &whole[..whole.len() - 100];
    let sound = body(&[binary(1, &program())]);
    let cases = [
        ("a tag that is cut off", plain(cut), "swf-tag"),
        ("a tag without its data", plain(&body(&[binary(1, &program()), tag(87, &[0])])), "swf-tag"),
        ("a stated size that is too small", stated(b"FWS", &whole, whole.len() - 100), "swf-size"),
        ("a stated size that is too large", stated(b"FWS", &sound, 99_999), "swf-size"),
        ("a stated size that is too large, zlib", stated(b"CWS", &zlib(&sound), 99_999), "swf-size"),
        (
            "a zlib stream that ends",
            stated(b"CWS", &broken(&sound[..sound.len() - 6]), 9999),
            "swf-compression",
        ),
    ];
    for (name, swf, code) in cases {
        for verb in ALL.iter().chain(&FIRST) {
            let done = on(verb, &swf);
            assert_eq!(done.status, 0, "{name}, {verb}: {done:?}");
            assert!(done.err.contains(code) && !done.err.contains("error["), "{name}, {verb}: {}", done.err);
            assert!(!done.out.is_empty(), "{name}, {verb}");
        }
        let checked = on("check -", &swf);
        let wrong = i32::from(code != "swf-size" || checked.err.contains("swf-tag"));
        assert!(checked.status == wrong && checked.err.contains(code), "{name}: {checked:?}");
    }
}

#[test]
fn damage_without_a_program_is_an_error() {
    let whole = body(&[binary(1, &program())]);
    for (swf, code) in [
        (plain(&whole[..60]), "swf-tag"),
        (plain(&[0xff]), "swf-header"),
        (stated(b"CWS", &broken(&[0; 4]), 9999), "swf-compression"),
        (stated(b"CWS", b"no zlib", 9999), "swf-compression"),
    ] {
        for verb in ALL.iter().chain(&FIRST).chain(&["check -"]) {
            let done = on(verb, &swf);
            assert!(done.status == 1 && done.err.contains(code), "{code}, {verb}: {done:?}");
        }
    }
}

/// What a limit keeps from being read is an error for the verbs that list everything, and does not concern those that
/// work on a program that was found.
#[test]
fn what_is_left_out_is_an_error_of_the_list() {
    let mut deep = plain(&body(&[binary(1, &program())]));
    for _ in 0..6 {
        deep = plain(&body(&[binary(1, &program()), binary(2, &deep)]));
    }
    let many: Vec<Vec<u8>> = (0..9).map(|n| binary(n, &program())).collect();
    let bomb = stated(b"CWS", &zlib(&body(&[binary(1, &vec![0; 3 << 20])])), (3 << 20) + 32);
    let inner = plain(&body(&[binary(1, &program()), binary(2, &bomb)]));
    for (name, swf, limit, code) in [
        ("nested", deep, "", "swf-nesting"),
        ("programs", plain(&body(&many)), "--limit programs=4", "programs=4"),
        ("a bomb inside", inner, "--limit file=1000000", "limit file="),
    ] {
        for verb in ALL {
            let done = on(&format!("{verb} {limit}"), &swf);
            assert!(done.status == 1 && done.err.contains(code), "{name}, {verb}: {done:?}");
            assert!(done.text().contains("certain"), "{name}, {verb}: {}", done.text());
        }
        for verb in FIRST {
            let done = on(&format!("{verb} {limit}"), &swf);
            assert!(done.status == 0 && done.err.contains(code), "{name}, {verb}: {done:?}");
            assert!(done.err.contains("warning[") && !done.out.is_empty(), "{name}, {verb}: {}", done.err);
        }
    }
}

#[test]
fn a_bomb_is_refused() {
    let zeros = vec![0; 3 << 20];
    let body = body(&[binary(1, &program()), binary(2, &zeros)]);
    for size in [body.len() + 8, u32::MAX as usize] {
        let swf = stated(b"CWS", &zlib(&body), size);
        for verb in ALL.iter().chain(&FIRST).chain(&["check -"]) {
            let done = on(&format!("{verb} --limit file=1000000"), &swf);
            assert!(done.status == 1 && done.err.contains("limit file=1000000"), "{verb}: {done:?}");
        }
    }
    // More than the header states is not decompressed.
    let swf = stated(b"CWS", &zlib(&body), body.len() + 8 - zeros.len());
    let done = on("dis --limit file=1000000", &swf);
    assert!(done.status == 0 && done.err.contains("warning[swf-size]"), "{done:?}");
}

/// The faults of other containers are not in the listing either.
#[test]
fn listings_have_no_errors_of_other_containers() {
    let done = run("dis tests/identify/shaders.csdr");
    assert!(done.status == 0 && !done.text().contains("error"), "{done:?}");
    assert!(done.err.contains("warning[shbin-base64]"), "{done:?}");
    let checked = run("check tests/identify/shaders.csdr");
    assert!(checked.status == 1 && checked.err.contains("error[shbin-base64]"), "{checked:?}");
}
