//! What decides about a source: settings, the name of its file, its first lines, its contents.

use shisa::data::Stage;
use shisa::{File, Isa, Settings};

fn stage(name: &str, source: &str) -> Result<Option<Stage>, Vec<&'static str>> {
    let mut settings = Settings::new();
    settings.name = Some(name.into());
    let opened = File::open(source.as_bytes(), &settings);
    opened.map(|file| file.identity().stage).map_err(|e| e.diagnostics.iter().map(|d| d.code).collect())
}

/// The stage in a file's name counts more than a guess from the registers.
#[test]
fn the_stage_in_a_name_counts_more_than_a_guess() {
    let source = "mov op, va0\n";
    assert_eq!(stage("a.agal", source), Ok(Some(Stage::Vertex)));
    assert_eq!(stage("a.vert.agal", source), Ok(Some(Stage::Vertex)));
    assert!(stage("a.frag.agal", source).is_err(), "a fragment program has no such registers");
}

/// A file's name says nothing about the language if the settings state another instruction set.
#[test]
fn the_instruction_set_of_the_settings_counts_more_than_a_name() {
    let source = b"// agal 1 vertex\nmov op, va0\n";
    for (isa, expected) in [(None, Isa::Pica200), (Some(Isa::Agal), Isa::Agal)] {
        let mut settings = Settings::new();
        settings.name = Some("a.pica".into());
        settings.isa = isa;
        let opened = File::open(source, &settings);
        let found = opened.as_ref().ok().and_then(File::isa);
        match expected {
            Isa::Agal => assert_eq!(found, Some(Isa::Agal), "{opened:?}"),
            _ => assert_ne!(found, Some(Isa::Agal), "the name states picasso's language"),
        }
    }
}
