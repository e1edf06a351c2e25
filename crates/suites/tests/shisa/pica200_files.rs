//! Shader binaries inside of other files, as the library's users see them.

use shisa::data::{Container, Stage};
use shisa::diag::Limits;
use shisa::pica200::container::{Label, Object, Shbin};
use shisa::pica200::{link_files, put_into};
use shisa::{File, Language, Settings};

const VERTEX: &str = ".out - position\n.proc main\nmov o0, v0\nend\n.end\n";
const OTHER: &str = ".out - position\n.proc main\nmov o0, -v0\nend\n.end\n";
const GEOMETRY: &str = ".gsh\n.out - position\n.proc main\nsetemit 0, prim\nmov o0, v0\nemit\nend\n.end\n";

fn assembled(source: &str) -> Vec<u8> {
    shisa::assemble(source, Language::Picasso, &Settings::new()).unwrap().bytes
}

/// Homebrew with two shader binaries among its constant data.
fn homebrew(binaries: [&[u8]; 2]) -> Vec<u8> {
    let rodata = [b"text", binaries[0], &[0xff; 12], binaries[1]].concat();
    let mut bytes = b"3DSX\x20\0\x08\0".to_vec();
    for size in [0, 0, 8, rodata.len() as u32, 0, 0] {
        bytes.extend(size.to_le_bytes());
    }
    bytes.extend([0; 24 + 8]);
    [bytes, rodata].concat()
}

#[test]
fn binaries_in_homebrew_are_opened_and_put_back() {
    let settings = Settings::new();
    let (vertex, other, geometry) = (assembled(VERTEX), assembled(OTHER), assembled(GEOMETRY));
    let bytes = homebrew([&vertex, &geometry]);
    let identity = File::identify(&bytes, &settings);
    assert_eq!(identity.container, Some(Container::ThreeDsx));
    let names: Vec<&str> = identity.programs.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["rodata: words 0 to 2", "rodata: words 0 to 4"]);
    let file = File::open(&bytes, &settings).unwrap();
    let extracted: Vec<_> = file.programs().map(|p| p.extract().unwrap()).collect();
    assert_eq!(extracted, [vertex, geometry.clone()]);
    assert_eq!(put_into(&other, &bytes, 1, &settings).unwrap(), (homebrew([&other, &geometry]), vec![]));
    let code = |binary: &[u8], file: &[u8], number| {
        put_into(binary, file, number, &settings).map_err(|e| e.diagnostics[0].code)
    };
    assert_eq!(code(&other, &bytes, 2), Err("shbin-programs"));
    assert_eq!(code(&other, &bytes, 3), Err("no-program"));
    assert_eq!(code(&other, &bytes, 0), Err("no-program"));
    assert_eq!(code(&other, &geometry, 1), Err("shbin-absent"));
}

/// Homebrew without shaders is not a file for this library.
#[test]
fn homebrew_without_shaders_is_not_recognised() {
    let error = File::open(&homebrew([b"", b""]), &Settings::new()).unwrap_err();
    assert_eq!(error.diagnostics[0].code, "not-recognised");
}

#[test]
fn objects_are_linked() {
    let object = |source: &str| {
        let mut linked = Shbin::read(&assembled(source), &Limits::default()).unwrap();
        let program = &mut linked.programs[0];
        program.labels = vec![Label { id: 0, at: 0, length: 1, name: program.symbols.len() as u32 }];
        program.symbols.extend(b"main\0");
        Object { linked, ..Object::default() }.write(&Limits::default()).unwrap()
    };
    let settings = Settings::new();
    let objects = [object(VERTEX), object(GEOMETRY)];
    let (bytes, warnings) = link_files(&objects.each_ref().map(Vec::as_slice), &settings).unwrap();
    assert_eq!(warnings, []);
    let file = File::open(&bytes, &settings).unwrap();
    assert!(file.check().unwrap().iter().all(|f| f.diagnostic.severity != shisa::diag::Severity::Error));
    let stages: Vec<_> = File::identify(&bytes, &settings).programs.into_iter().map(|p| p.stage).collect();
    assert_eq!(stages, [Some(Stage::Vertex), Some(Stage::Geometry)]);
    let wrong = link_files(&[&objects[0], b"DVLB"], &settings).unwrap_err();
    assert!(wrong.diagnostics[0].notes.iter().any(|n| n == "in object 2"), "{wrong:?}");
}
