//! Every construct in every language: naga parses and validates WGSL, and validates the modules that it prints;
//! glslang accepts GLSL and HLSL.

use crate::common::*;
use shisa_ir::Stage;
use shisa_translate::*;
use std::{fs, path::PathBuf, process::Command};

const GLSL: [(&str, GlslVersion); 4] = [
    ("330", GlslVersion::Core330),
    ("450", GlslVersion::Core450),
    ("es300", GlslVersion::Es300),
    ("es310", GlslVersion::Es310),
];

fn forms(name: &str) -> Vec<Form> {
    // These need the quads of a fragment stage.
    match name {
        "textures" | "sample_in_branch" | "sample_in_loop" | "kill_then_derive" => vec![Form::Stage],
        _ => vec![Form::Stage, Form::Compute],
    }
}

/// Every case in one language: its name, the suffix of its stage, the text.
fn texts(target: Target, exact: bool) -> Vec<(String, &'static str, String)> {
    let mut list = Vec::new();
    for (name, case) in cases::all() {
        for form in forms(name) {
            let old = matches!(target, Target::Glsl(GlslVersion::Core330 | GlslVersion::Es300));
            let beyond_old = form == Form::Compute || matches!(name, "memory" | "integers");
            let options = Options { form, exact, comments: exact, ..Options::default() };
            let stage = match (form, case.interface.stage) {
                (Form::Compute, _) => "comp",
                (_, Stage::Vertex) => "vert",
                _ => "frag",
            };
            match case.translate(target, &options) {
                Ok(Output { code: Code::Text(text), .. }) if !(old && beyond_old) => {
                    assert!(text.contains("program_main(") || text.contains("void main()"), "{text}");
                    list.push((name.into(), stage, text));
                }
                Err(d) if old && beyond_old => assert_eq!(d[0].code, "translate-unsupported"),
                other => panic!("{name} {form:?} in {target:?}: {other:#?}"),
            }
        }
    }
    list
}

#[test]
fn naga_accepts_wgsl_and_msl() {
    for exact in [false, true] {
        assert!(texts(Target::Msl, exact).len() > 25);
        let wgsl = texts(Target::Wgsl, exact);
        assert!(wgsl.len() > 25);
        for (name, stage, text) in wgsl {
            execute::judge_wgsl(&text).unwrap_or_else(|said| panic!("{name} {stage}: {said}\n{text}"));
        }
    }
}

/// Runs glslang over each text, `together` at a time: it takes long to begin, but links all files of a process where it
/// makes SPIR-V.
fn glslang(folder: &str, extra: &[&str], list: &[(String, &str, String)], together: usize) {
    if Command::new("glslangValidator").arg("--version").output().is_err() {
        println!("skipped: glslangValidator is not installed");
        return;
    }
    let dir: PathBuf = [env!("CARGO_TARGET_TMPDIR"), folder].iter().collect();
    fs::create_dir_all(&dir).unwrap();
    let mut faults = String::new();
    for texts in list.chunks(together) {
        let files: Vec<String> = texts.iter().map(|(name, stage, _)| format!("{name}.{stage}")).collect();
        files.iter().zip(texts).for_each(|(file, (.., text))| fs::write(dir.join(file), text).unwrap());
        let out =
            Command::new("glslangValidator").current_dir(&dir).args(extra).args(&files).output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout);
        if !out.status.success() || said.contains("ERROR") {
            faults += &format!("{folder}: {}\n{said}\n", out.status);
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn glslang_accepts_glsl() {
    for (folder, version) in GLSL {
        let exact = version != GlslVersion::Core450;
        glslang(&format!("glsl{folder}"), &[], &texts(Target::Glsl(version), exact), usize::MAX);
    }
}

#[test]
fn glslang_accepts_hlsl() {
    for (folder, model) in [("hlsl51", ShaderModel::V5_1), ("hlsl60", ShaderModel::V6_0)] {
        let args = ["-D", "-e", "program_main", "--target-env", "vulkan1.1"];
        glslang(folder, &args, &texts(Target::Hlsl(model), model == ShaderModel::V5_1), 1);
    }
}
