//! SWF files through the verbs: sound, damaged, and with programs that are damaged.

use shisa::swf::{self, Content};
use shisa::{Cfg, Listing, Settings};

const SHADERS: &[u8] = include_bytes!("../../../tests/swf/shaders.swf");

/// Every program is listed so that it assembles to the bytes found, whatever was done to the file.
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
        let identity = shisa::identify(&file, &settings);
        let Ok(extraction) = swf::extract(&file, &settings.limits) else { continue };
        if !swf::sniff(&file) {
            continue;
        }
        assert_eq!(identity.programs.len(), extraction.found.len());
        let all = shisa::listing_json(&file, &Listing::default(), &settings).unwrap();
        assert_eq!(all["programs"].as_array().map(Vec::len), Some(extraction.found.len()));
        for (number, found) in (1..).zip(&extraction.found) {
            let listing = Listing { program: Some(number), ..Listing::default() };
            let text = shisa::disassemble(&file, &listing, &settings).unwrap();
            if let Content::Program(bytes) = &found.content {
                let again = shisa::assemble(&text, &Default::default(), &settings).unwrap();
                assert_eq!(&again.bytes, bytes);
                programs += 1;
            }
            if let Ok(graph) = Cfg::new(&file, &listing, &settings) {
                assert!(graph.blocks().count() > 0 && graph.dot(&settings).is_ok());
                graph.live();
            }
        }
        let behind = Listing { program: Some(extraction.found.len() + 1), ..Listing::default() };
        assert!(shisa::disassemble(&file, &behind, &settings).is_err());
    }
    assert!(programs > 3_000, "{programs}");
}
