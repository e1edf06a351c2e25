//! The reference: similar words, words with several meanings, and every code that the sources use.

use shisa::{Isa, explain};

#[test]
fn unknown_words_suggest_near_ones() {
    let e = explain("swizle", None).unwrap_err();
    assert_eq!(e.diagnostics[0].code, "explain-unknown");
    assert!(e.diagnostics[0].help[0].contains("swizzle"), "{e:?}");
    assert!(explain("", None).is_err());
}

#[test]
fn a_word_of_two_instruction_sets_has_two_explanations() {
    let kinds = |isa| explain("mov", isa).unwrap().iter().map(|e| e.kind).collect::<Vec<_>>();
    assert_eq!(kinds(None)[..2], ["AGAL opcode", "PICA200 opcode"]);
    assert_eq!(kinds(Some(Isa::Pica200)), ["PICA200 opcode"]);
}

/// The codes that the sources give to diagnostics.
#[test]
fn every_code_is_explained() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for name in
        ["agal", "agx", "diag", "eval", "ir", "maxwell", "pica200", "rows", "shisa", "swf", "translate"]
    {
        sources(&crates.join(name).join("src"), &mut files);
    }
    let mut missing = std::collections::BTreeSet::new();
    let mut seen = 0;
    for text in files {
        for code in codes_in(&text) {
            seen += 1;
            if explain(code, None).is_err() {
                missing.insert(code.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(seen > 20, "codes are found: {seen}");
}

fn sources(dir: &std::path::Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        // Nobody sees the diagnostics of tests.
        if path.is_dir() {
            sources(&path, into);
        } else if path.file_name().is_some_and(|n| n != "tests.rs" && n != "testing.rs") {
            into.extend(std::fs::read_to_string(&path));
        }
    }
}

/// The literals that are the first argument of a call that makes a diagnostic, and those that look like codes of
/// translation, which some functions take.
fn codes_in(text: &str) -> Vec<&str> {
    let calls = ["Diagnostic::error(", "Diagnostic::warning("];
    let behind = calls.iter().flat_map(|call| text.split(call).skip(1));
    let literals = behind.filter_map(|t| t.trim_start().strip_prefix('"'));
    let given = text.match_indices("\"translate-").map(|(at, _)| &text[at + 1..]);
    let plain = |code: &&str| {
        let letter = |b: u8| b == b'-' || b.is_ascii_lowercase() || b.is_ascii_digit();
        code.bytes().all(letter) && !code.ends_with('-')
    };
    literals.chain(given).filter_map(|t| t.split('"').next()).filter(plain).collect()
}

/// The keys of a schema's object, with the names that each may have.
fn keys(schema: &serde_json::Value, above: &str, all: &mut Vec<(String, Vec<String>)>) {
    for inner in [&schema["items"], &schema["anyOf"][1]] {
        if inner.is_object() {
            keys(inner, above, all);
        }
    }
    for (key, value) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{above}.{key}");
        let names = value["enum"].as_array().into_iter().flatten();
        all.push((path.clone(), names.filter_map(|name| Some(name.as_str()?.to_owned())).collect()));
        keys(value, &path, all);
    }
}

/// The keys of a draw call in the schema are those of the reference, with the same values.
#[test]
fn draw_calls_are_explained_as_their_schema_has_them() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../../docs/schema/maxwell-run.schema.json")).unwrap();
    let mut all = Vec::new();
    keys(&schema["properties"]["draw"], "draw", &mut all);
    let listed = &explain("draw", Some(Isa::Maxwell)).unwrap()[0].sections[0].lines;
    let listed: Vec<&str> = listed.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(listed.len(), all.len());
    for (path, names) in all {
        assert!(listed.contains(&&*path), "{path}");
        let page = &explain(&path, Some(Isa::Maxwell)).unwrap()[0];
        let values = page.sections.iter().find(|section| section.heading == "Values");
        let lines = values.iter().flat_map(|section| &section.lines);
        let explained: Vec<&str> = lines.map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(explained, names, "{path}");
    }
}

/// The keys that the reader of a draw call knows at a path, from what it says about a key that it does not know.
fn known(program: &shisa::Program<'_>, path: &str) -> Vec<String> {
    let keys: Vec<&str> = path.split('.').collect();
    // Each key has an object or a list of objects. Where an object is right, nothing is refused in a list; where a list is
    // right, an object has names of its own for keys. Lists are therefore tried first.
    for lists in (0..1u32 << keys.len()).rev() {
        let mut value = serde_json::json!({ "zzzzzzzzzzzz": 0 });
        for (i, key) in keys.iter().enumerate().rev() {
            value = match lists >> i & 1 {
                0 => serde_json::json!({ *key: value }),
                _ => serde_json::json!({ *key: [value] }),
            };
        }
        let refused = program.run_json(&value.to_string(), shisa::RunOptions::default());
        for d in refused.err().into_iter().flat_map(|e| e.diagnostics) {
            if d.message.contains("zzzzzzzzzzzz")
                && let Some(list) = d.help.iter().find_map(|help| help.strip_prefix("known keys are "))
            {
                return list.split(", ").map(|key| format!("{path}.{key}")).collect();
            }
        }
    }
    panic!("no key of {path} is refused");
}

/// The reader of a draw call knows the keys that the reference explains, and no others.
#[test]
fn draw_calls_are_read_as_they_are_explained() {
    use std::collections::BTreeSet;
    let bytes = crate::maxwell_stage::assembled("VERTEX", &[], "NOP");
    let file = shisa::File::open(&bytes, &shisa::Settings::new()).unwrap();
    let program = file.program(1).unwrap();
    let listed = &explain("draw", Some(Isa::Maxwell)).unwrap()[0].sections[0].lines;
    let explained: BTreeSet<String> =
        listed.iter().filter_map(|line| Some(line.split(' ').next()?.to_owned())).collect();
    let above: BTreeSet<&str> = explained.iter().filter_map(|p| Some(p.rsplit_once('.')?.0)).collect();
    let read: BTreeSet<String> = above.iter().flat_map(|path| known(&program, path)).collect();
    assert_eq!(read, explained);
}

/// Every word has an explanation that says something.
#[test]
fn every_word_is_explained() {
    for word in shisa::explain::words(None) {
        let found = explain(&word, None).unwrap_or_else(|e| panic!("{word}: {e}"));
        assert!(found.iter().all(|e| !e.summary.is_empty()), "{word}");
    }
}

/// All explanations of a word of a family, as text.
fn told(word: &str, isa: Isa) -> String {
    explain(word, Some(isa)).into_iter().flatten().map(|e| e.to_string()).collect()
}

/// Each row is explained with its summary and examples.
fn every_row_is_told<'r>(isa: Isa, rows: impl Iterator<Item = (&'r str, &'r str, Vec<&'r str>)>) {
    for (name, summary, examples) in rows {
        let text = told(name, isa);
        assert!(text.contains(summary) && !summary.is_empty(), "{name}");
        assert!(examples.iter().all(|example| text.contains(example)), "{name}");
    }
}

#[test]
fn rows_of_agx_are_told_with_bits_and_examples() {
    use shisa_rows::Isa as _;
    every_row_is_told(
        Isa::Agx,
        shisa_agx::Agx::table()
            .forms()
            .iter()
            .map(|form| (form.name, form.summary, form.examples.iter().map(|e| e.0).collect())),
    );
    let text = told("fadd", Isa::Agx);
    for line in
        ["4 bytes, or 6 where bit 15 is set", "operand 2", "r0", "2a81402aa400", "[sat]", "applegpu: fadd32"]
    {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    // Names of applegpu.
    for (name, ours) in
        [("fmadd32", "ffma"), ("device_load", "load"), ("bitop", "bitop"), ("icmpsel", "csel")]
    {
        assert_eq!(explain(name, Some(Isa::Agx)).unwrap()[0].word, ours, "{name}");
    }
}

/// Words of picasso, and those that users of other tools know.
#[test]
fn words_of_the_language_of_pica200_are_explained() {
    use shisa_pica200::picasso::{DIRECTIVES, PROPERTIES};
    let ours = DIRECTIVES.iter().map(|d| d.bare()).chain(PROPERTIES.iter().map(|(name, _)| *name));
    let others = ["loop", "lcnt", "DVLB", "DVLP", "DVLE", "DVOJ", "csdr", "CGFX", "subdivision", "particle"];
    for word in ours.chain(others) {
        assert!(!told(word, Isa::Pica200).is_empty(), "{word}");
    }
    assert_eq!(explain("setb", Some(Isa::Pica200)).unwrap()[0].word, ".setb");
}

mod maxwell {
    use super::*;

    fn told(word: &str) -> String {
        super::told(word, Isa::Maxwell)
    }

    #[test]
    fn rows_are_told_with_bits_and_examples() {
        use shisa_rows::Isa as _;
        every_row_is_told(
            Isa::Maxwell,
            shisa_maxwell::Maxwell::table()
                .forms()
                .iter()
                .map(|form| (form.name, form.summary, form.examples.iter().map(|e| e.0).collect())),
        );
    }

    #[test]
    fn bits_modifiers_and_meaning() {
        let text = told("FADD");
        for line in [
            "  0-7  operand 1, destination register: register number",
            "48  operand 2, float register: negative",
            "control 17  operand 2, float register: stays in the operand cache",
            "control 5-7  control bits: write barrier",
            "modifier 2, bits 39-40",
            "1        .RM",
            "fixed: the code stalls",
            "5c58000000070302, control bits 0x207e0",
        ] {
            assert!(text.contains(line), "{line} in\n{text}");
        }
        assert!(told("HADD2").contains("from sm_52 on"));
        assert!(told("MUFU").contains("Modifiers of sm_50"));
        assert!(told("TEX").contains("variable: the instruction may raise a barrier"));
        assert!(told("TXA").contains("not stated yet but in words: "));
        assert!(told("FMUL").contains("FMUL.FTZ.RM R1, R2, 1.NEG:"));
        assert!(told("TEX").contains("0 R, 1 G") || told("TEXS").contains("0 R, 1 G"));
    }

    #[test]
    fn instructions_tell_stages_and_what_they_need() {
        assert!(told("IPA").contains("Stages\n  fragment\n"));
        assert!(told("MOV").contains("Stages\n  all\n") && !told("MOV").contains("Needs"));
        assert!(told("DADD").contains("DoesFp64; otherwise"));
        assert!(told("F2F").contains("DoesFp64 for some words; otherwise"));
        assert!(told("KIL").contains("KillsPixels"));
        assert!(told("OUT").contains("R0 must hold the state") && told("CS2R").contains("SR_CLOCKLO"));
    }

    #[test]
    fn words_are_taken_as_programs_have_them() {
        let wide = told("LDG.E.64");
        assert!(wide.starts_with(&told("LDG")) && wide.contains("LDG.64: bits 48-50 = 5"), "{wide}");
        assert!(!wide.contains("STG"));
        assert_eq!(told("LDG.NONE") + &told("NONE.E") + &told("R255") + &told("R01"), "");
        assert_eq!(
            (told("R12"), told("c[0x0][0x140]"), told("SB5")),
            (told("register"), told("c[]"), told("barrier"))
        );
    }

    #[test]
    fn suffixes_are_told_with_and_without_the_dot() {
        let ftz = told("FTZ");
        assert_eq!(told(".FTZ"), ftz);
        assert!(ftz.contains("denormal") && ftz.contains("FADD.FTZ: bits 44 = 1"), "{ftz}");
        assert!(told("CC").contains("condition codes"));
        assert!(told(".64").contains("LDG.64: bits 48-50 = 5"), "{}", told(".64"));
        assert_eq!(told("64") + &told("") + &told(".") + &told("NOSUCH"), "");
    }

    /// Every suffix is explained with the instructions that have it; `.CC` is the destination's.
    #[test]
    fn suffixes_are_of_instructions() {
        let suffixes =
            shisa::explain::words(Some(Isa::Maxwell)).into_iter().filter(|word| word.starts_with('.'));
        let mut count = 0;
        for name in suffixes.filter(|name| name != ".CC") {
            count += 1;
            assert!(told(&name).contains("Where"), "{name}");
        }
        assert!(count > 100, "{count} suffixes");
    }

    #[test]
    fn registers_are_told_by_name_number_and_field() {
        let text = told("SR_VIRTID");
        assert_eq!(told("SR3"), text);
        assert!(text.contains("bits 8 to 13: WarpId, the warp, 0 to NWarp - 1 (sm_50 to sm_52)"), "{text}");
        assert!(text.contains("CS2R reads 0") && text.contains("thread"), "{text}");
        assert!(told("NWarp").starts_with("SR_VIRTCFG.NWarp"), "{}", told("NWarp"));
        assert!(told("SR15").contains("named from sm_52 on"));
        assert!(told("SR_TID.X").contains("compute; it reads as 0 in others"));
        assert!(told("SR12").contains("Reserved"));
        assert!(told("SR_CLOCK").contains("nvdisasm has a name for it"));
        assert!(told("SR_CLOCKLO").contains("fixed latency"));
        assert_eq!(told("SR256"), "");
    }
}
