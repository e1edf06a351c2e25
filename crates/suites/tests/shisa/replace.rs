//! Programs of files are replaced, in every container that has room for them.

use serde_json::{Value, json};
use shisa::data::Container;
use shisa::{File, Language, Settings};

/// The code of each program of a file.
fn programs(file: &[u8]) -> Vec<Vec<u8>> {
    let file = File::open(file, &Settings::new()).unwrap();
    file.programs().map(|p| p.extract().unwrap()).collect()
}

/// Replaces a program; returns the file, or the first code.
fn replaced(file: &[u8], number: usize, code: &[u8]) -> Result<Vec<u8>, &'static str> {
    let file = File::open(file, &Settings::new()).unwrap();
    file.replace(number, code).map_err(|e| e.diagnostics[0].code)
}

/// Replaces a program by another: nothing else changes.
fn exchange(name: &str, file: &[u8], number: usize, code: &[u8]) -> Vec<u8> {
    let new = replaced(file, number, code).unwrap_or_else(|code| panic!("{name} {number}: {code}"));
    let (before, after) = (programs(file), programs(&new));
    assert_eq!(before.len(), after.len(), "{name}");
    for (n, (before, after)) in (1..).zip(before.iter().zip(&after)) {
        let expected = if n == number { code } else { before };
        assert!(after.starts_with(expected), "{name}: program {n} after program {number} was replaced");
    }
    new
}

fn assembled(source: &str, language: Language) -> Vec<u8> {
    shisa::assemble(source, language, &Settings::new()).unwrap().bytes
}

/// A program that is replaced by itself leaves the programs of every container as they were.
#[test]
fn every_container_takes_its_own_programs_back() {
    let files: [(&str, &[u8]); 9] = [
        ("kernels.cubin", include_bytes!("../../../../tests/identify/kernels.cubin")),
        ("kernels.fatbin", include_bytes!("../../../../tests/identify/kernels.fatbin")),
        ("library.so", include_bytes!("../../../../tests/identify/library.so")),
        ("shader.sph", include_bytes!("../../../../tests/identify/shader.sph")),
        ("shaders.csdr", include_bytes!("../../../../tests/identify/shaders.csdr")),
        ("shaders.dksh", include_bytes!("../../../../tests/identify/shaders.dksh")),
        // Without its control file, the constants after the code count as code.
        ("shader.nvn-code", include_bytes!("../../../../tests/identify/shader.nvn-code")),
        ("shaders.metal-archive", include_bytes!("../../../../tests/identify/shaders.metal-archive")),
        ("main.json", include_bytes!("../../../../tests/link/main.json")),
    ];
    for (name, file) in files {
        let all = programs(file);
        assert!(!all.is_empty(), "{name}");
        for (number, code) in (1..).zip(&all) {
            exchange(name, file, number, code);
        }
    }
}

/// The programs of containers whose headers are damaged: as files of their own they are what they were, and put back they
/// change nothing.
#[test]
fn extracted_programs_of_maxwell_are_what_they_were() {
    let files: [&[u8]; 5] = [
        include_bytes!("../../../../tests/identify/shaders.dksh"),
        include_bytes!("../../../../tests/identify/shader.nvn-code"),
        include_bytes!("../../../../tests/identify/shader.sph"),
        include_bytes!("../../../../tests/identify/kernels.cubin"),
        include_bytes!("../../../../tests/identify/kernels.fatbin"),
    ];
    let alone = Settings::new().isa(shisa::Isa::Maxwell);
    let (mut opened, mut refused) = (0, 0);
    for file in files {
        // Headers of containers and programs, and first control bits.
        for at in (0..file.len().min(0x400)).flat_map(|at| [0, 1, 5, 0xff].map(|value| (at, value))) {
            let mut bytes = file.to_vec();
            bytes[at.0] = at.1;
            let Ok(file) = File::open(&bytes, &Settings::new()) else { continue };
            for program in file.programs() {
                let code = match program.extract() {
                    Ok(code) => code,
                    Err(e) => {
                        assert_eq!(e.diagnostics[0].code, "maxwell-extract");
                        refused += 1;
                        continue;
                    }
                };
                match File::open(&code, &alone).and_then(|f| f.program(1)?.extract()) {
                    Ok(again) => assert!(again == code, "byte {:#x} is {:#x}", at.0, at.1),
                    Err(e) => assert_eq!(e.diagnostics[0].code, "maxwell-bundles"),
                }
                opened += 1;
                assert_eq!(file.replace(program.number(), &code).as_ref(), Ok(&bytes), "byte {:#x}", at.0);
            }
        }
    }
    assert!(opened > 5_000 && refused > 0, "{opened} {refused}");
}

#[test]
fn binary_data_of_swfs_takes_programs_of_any_length() {
    let file = include_bytes!("../../../../tests/swf/shaders.swf");
    let identity = File::identify(file, &Settings::new());
    let (mut taken, mut codes) = (0, Vec::new());
    for (number, entry) in (1..).zip(&identity.programs) {
        let stage = entry.stage.map_or("vertex", |s| s.name());
        let output = if stage == "vertex" { "op, va0" } else { "oc, v0" };
        let lines = format!("mov {}t0, {}\n", &stage[..1], if stage == "vertex" { "va0" } else { "v0" });
        for count in [0, 5] {
            let source = format!("// agal 1 {stage}\n{}mov {output}\n", lines.repeat(count));
            let code = assembled(&source, Language::Agal);
            match (entry.container, replaced(file, number, &code)) {
                (Container::Agal, Ok(_)) => {
                    exchange("shaders.swf", file, number, &code);
                    taken += 1;
                }
                (_, done) => codes.push(done.unwrap_err()),
            }
        }
    }
    assert!(taken >= 4, "{taken}");
    assert!(codes.iter().all(|code| *code == "swf-put") && !codes.is_empty(), "{codes:?}");
    assert_eq!(replaced(file, 1, &[7; 31]), Err("agal-3616"));
}

#[test]
fn a_shader_binarys_programs_are_replaced_if_they_share_no_changed_word() {
    let one = |word: &str| format!(".out - position\n.proc main\n{word}\nend\n.end\n");
    let [old, new] = ["mov o0, v0", "mov o0, -v0"].map(|w| assembled(&one(w), Language::Picasso));
    assert_eq!(replaced(&old, 1, &new), Ok(new.clone()));
    // Two programs, of which the second begins after the words of the first.
    let two = assembled(
        ".out - position\n.entry first\n.proc first\nmov o0, v0\nend\n.end\n.proc second\nmov o0, v1\nend\n.end\n",
        Language::Picasso,
    );
    let mut file = shisa::pica200::container::Shbin::read(&two, &shisa::diag::Limits::default()).unwrap();
    file.programs.push(file.programs[0].clone());
    file.programs[1].entry = 2;
    let bytes = file.write(&shisa::diag::Limits::default()).unwrap();
    let mut changed = file.clone();
    changed.programs.remove(0);
    // The second program reads v0, as the first does.
    changed.code[2] = changed.code[0];
    let code = changed.write(&shisa::diag::Limits::default()).unwrap();
    let done = replaced(&bytes, 2, &code).unwrap();
    assert_eq!(programs(&done)[1], code);
    assert_eq!(replaced(&bytes, 1, &code), Err("shbin-shared"));
    let geometry = assembled(
        ".gsh\n.out - position\n.proc main\nsetemit 0, prim\nmov o0, v0\nemit\nend\n.end\n",
        Language::Picasso,
    );
    assert_eq!(replaced(&old, 1, &geometry), Err("shbin-programs"));
    assert_eq!(replaced(&old, 2, &new), Err("no-program"));
}

#[test]
fn code_of_archives_and_parts_is_replaced_where_there_is_room() {
    let archive = include_bytes!("../../../../tests/identify/shaders.metal-archive");
    let old = programs(archive).remove(0);
    let code = assembled("// agx\n.code\n    stop\n", Language::Agx);
    assert!(code.len() < old.len());
    let new = exchange("shaders.metal-archive", archive, 1, &code);
    assert_eq!(new.len(), archive.len());
    assert_eq!(replaced(archive, 1, &[old.as_slice(), &code].concat()), Err("agx-room"));
    // The main code of a part, with nothing after it.
    let part: Value = serde_json::from_slice(include_bytes!("../../../../tests/link/main.json")).unwrap();
    let mut alone = part.clone();
    let digits = part["code"].as_str().unwrap();
    let end =
        2 * (part["meta"]["main_offset"].as_u64().unwrap() + part["meta"]["main_size"].as_u64().unwrap());
    alone["code"] = json!(digits[..end as usize]);
    let file = alone.to_string();
    let longer = [programs(file.as_bytes()).remove(0), vec![8, 0]].concat();
    let new = exchange("a part", file.as_bytes(), 1, &longer);
    let new: Value = serde_json::from_slice(&new).unwrap();
    assert_eq!(new["meta"]["main_size"], json!(longer.len()));
    let followed = json!({ "code": format!("{}0800", &digits[..end as usize]), "meta": part["meta"] });
    assert_eq!(replaced(followed.to_string().as_bytes(), 1, &longer), Err("agx-room"));
}
