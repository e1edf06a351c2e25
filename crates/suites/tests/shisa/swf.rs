//! SWF files through the verbs: intact, damaged, and with damaged programs.

use shisa::data::Container;
use shisa::{File, Language, Listing, Settings};

const SHADERS: &[u8] = include_bytes!("../../../../tests/swf/shaders.swf");

/// Every program is listed such that it assembles to the bytes found, however the file is damaged.
#[test]
fn programs_of_damaged_files_are_listed() {
    let settings = Settings::default();
    let mut seed = 7u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    let mut programs = 0;
    for turn in 0..3_000 {
        let mut file = SHADERS.to_vec();
        for _ in 0..turn.min(3) {
            let at = random(file.len());
            file[at] = random(256) as u8;
        }
        let identity = File::identify(&file, &settings);
        let Ok(opened) = File::open(&file, &settings) else { continue };
        if identity.container != Some(Container::Swf) {
            continue;
        }
        assert_eq!(&identity, opened.identity());
        let all = serde_json::to_value(opened.listing_json(&Listing::new())).unwrap();
        assert_eq!(all["programs"].as_array().map(Vec::len), Some(opened.programs().len()));
        for program in opened.programs() {
            let text = program.listing(&Listing::new()).unwrap();
            if program.entry().unwrap().container == Container::Agal {
                let again = shisa::assemble(&text, Language::Agal, &settings).unwrap();
                assert_eq!(again.bytes, program.extract().unwrap());
                programs += 1;
            }
            if let Ok(graph) = program.cfg() {
                assert!(graph.blocks().count() > 0 && graph.dot().is_ok());
                graph.live();
            }
        }
        assert!(opened.program(opened.programs().len() + 1).is_err());
    }
    assert!(programs > 3_000, "{programs}");
}

/// A program in a file has the fields that it has alone.
#[test]
fn programs_of_files_have_fields() {
    let settings = Settings::default();
    let file = File::open(SHADERS, &settings).unwrap();
    let mut count = 0;
    for program in file.programs().filter(|p| p.entry().unwrap().container == Container::Agal) {
        let bytes = program.extract().unwrap();
        let alone = File::open(&bytes, &settings).unwrap();
        let alone = alone.program(1).unwrap();
        for instruction in program.instructions(&Listing::new()).unwrap() {
            let fields = program.fields(instruction.offset).unwrap();
            assert!(!fields.is_empty(), "{instruction:?}");
            assert_eq!(fields, alone.fields(instruction.offset).unwrap(), "{instruction:?}");
            count += 1;
        }
    }
    assert!(count > 3, "{count}");
}

/// Findings name the program that they are about.
#[test]
fn findings_name_their_program() {
    let file = File::open(SHADERS, &Settings::default()).unwrap();
    let found = file.check().unwrap();
    // The second program reads a register that nothing has written; the others are sound.
    let errors = found.iter().filter(|f| f.diagnostic.severity == shisa::diag::Severity::Error);
    assert_eq!(errors.map(|f| f.program).collect::<Vec<_>>(), [Some(2)], "{found:?}");
    for (number, program) in (1..).zip(file.programs()) {
        let own = program.check().unwrap();
        let all = found.iter().filter(|f| f.program == Some(number)).map(|f| &f.diagnostic);
        assert!(all.eq(&own), "program {number}: {own:?}");
    }
}

/// Bytes that only begin as a SWF are a damaged one; an archive without a list of files may be anything.
#[test]
fn damaged_files_are_what_their_first_bytes_state() {
    let settings = Settings::default();
    let swf = File::identify(b"CWS\x0a\xff\0\0\0 no zlib data", &settings);
    assert_eq!(swf.container, Some(Container::Swf));
    let zip = b"PK\x03\x04 no list of files";
    assert_eq!(File::identify(zip, &settings).container, None);
    let codes = |bytes: &[u8]| {
        let error = File::open(bytes, &settings).unwrap_err();
        error.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(zip), codes(b"no file that is known"));
}
