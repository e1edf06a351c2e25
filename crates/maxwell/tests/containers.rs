//! Containers that third-party tools made, from the corpus.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use serde_json::Value as Json;
use shisa_conformance::Data;
use shisa_diag::Limits;
use shisa_maxwell::container::{Container, Cubin, Edit, Image, Sph};
use shisa_maxwell::{Options, ShaderStage, rules};
use std::collections::BTreeMap;

fn lines(name: &str) -> Vec<Json> {
    let lines = Data::corpus("maxwell").unwrap().values(name).unwrap();
    assert!(lines.len() > 60, "{name} has {} lines", lines.len());
    lines
}

fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits) = (Vec::new(), 0u32);
    for (n, letter) in text.bytes().filter(|b| *b != b'=').enumerate() {
        bits = bits << 6 | LETTERS.iter().position(|l| *l == letter).unwrap() as u32;
        if n % 4 > 0 {
            out.push((bits >> (6 - n % 4 * 2)) as u8);
        }
    }
    out
}

fn text<'a>(line: &'a Json, key: &str) -> &'a str {
    line[key].as_str().unwrap()
}

/// Reads a file, and checks that replacing its code by itself reproduces it, and that the rules find nothing in
/// compilers' output.
fn image(bytes: &[u8]) -> Image<'_> {
    let image = Image::read(bytes, &Limits::default()).unwrap();
    let same = |n: usize| (n, Edit { code: image.code(n), header: image.header(n), targets: None });
    let edits: BTreeMap<usize, Edit<'_>> = (0..image.programs.len()).map(same).collect();
    assert!(image.write(&edits, &Limits::default()).unwrap() == bytes);
    assert_eq!(rules::check(&image, None, Options::DEFAULT, &Limits::default()), []);
    image
}

#[test]
fn cubins_of_kernels() {
    for line in lines("maxwell/cuda/cases.jsonl") {
        let bytes = base64(text(&line, "cubin"));
        let image = image(&bytes);
        let name = text(&line, "name");
        let program = image.programs.iter().find(|p| p.name == text(&line, "kernel")).unwrap();
        assert_eq!(program.chip.unwrap().to_string(), text(&line, "arch"), "{name}");
        assert_eq!(program.registers.unwrap(), line["registers"].as_u64().unwrap() as u32, "{name}");
        assert!(program.entry, "{name}");
        let cubin = Cubin::read(&bytes, &Limits::default()).unwrap();
        assert!(cubin.attributes().all(|(_, a)| a.known().is_some()), "{name}");
        assert!(cubin.relocations.iter().all(|r| r.known().is_some()), "{name}");
        // References that move when a kernel grows are found at their new offsets.
        let longer = [image.code(0), image.code(0)].concat();
        let edits = BTreeMap::from([(0, Edit { code: &longer, header: None, targets: None })]);
        let written = image.write(&edits, &Limits::default()).unwrap();
        let grown = Cubin::read(&written, &Limits::default()).unwrap();
        let (exits, leaving) = ("EIATTR_EXIT_INSTR_OFFSETS", "EIATTR_INDIRECT_BRANCH_TARGETS");
        let kept = |c: &Cubin<'_>| {
            let texts = c.attributes().map(|(_, a)| (a.known().unwrap().name, c.attribute_text(&a)));
            let places = [exits, leaving, "EIATTR_S2RCTAID_INSTR_OFFSETS"];
            let texts: Vec<_> = texts.filter(|(name, _)| !places.contains(name)).collect();
            (texts, c.functions.iter().skip(1).map(|f| f.code.to_vec()).collect::<Vec<_>>())
        };
        assert_eq!(kept(&grown), kept(&cubin), "{name}");
        let list = |c: &Cubin<'_>, list: &str| -> Vec<u32> {
            let lists = c.attributes().filter(|(_, a)| a.known().unwrap().name == list);
            lists.flat_map(|(_, a)| a.words()).collect()
        };
        assert!(list(&grown, exits).len() > list(&cubin, exits).len(), "{name}");
        assert!(list(&grown, leaving).starts_with(&list(&cubin, leaving)), "{name}");
        assert_eq!(grown.functions[0].code, longer, "{name}");
    }
}

#[test]
fn cubins_of_single_operations() {
    for name in ["sm_50-O0", "sm_50-O3", "sm_53-O0", "sm_53-O3"] {
        let data = Data::corpus("maxwell").unwrap();
        let bytes = data.read(&format!("maxwell/ptx/kernels_{name}.cubin")).unwrap();
        let image = image(&bytes);
        assert!(image.programs.len() > 360, "{name} has {}", image.programs.len());
    }
}

#[test]
fn shaders_of_the_switch() {
    for line in lines("maxwell/glsl/shaders.jsonl") {
        let bytes = base64(text(&line, "dksh"));
        let image = image(&bytes);
        let name = text(&line, "name");
        assert_eq!(image.container, Container::Dksh, "{name}");
        let [program] = &image.programs[..] else { panic!("{name} is one program") };
        let place = [line["code_offset"].as_u64().unwrap(), line["code_size"].as_u64().unwrap()];
        assert_eq!([program.code.start as u64, program.code.len() as u64], place, "{name}");
        let stage = match text(&line, "stage") {
            "vert" => ShaderStage::Vertex,
            "frag" => ShaderStage::Fragment,
            "geom" => ShaderStage::Geometry,
            "tesc" => ShaderStage::TessellationControl,
            "tese" => ShaderStage::TessellationEvaluation,
            _ => ShaderStage::Compute,
        };
        assert_eq!(program.stage, Some(stage), "{name}");
        assert_eq!(program.header.is_none(), stage == ShaderStage::Compute, "{name}");
        if let Some(sph) = image.header(0) {
            assert_eq!(sph.stage(), Some(stage), "{name}");
            assert_eq!(sph.check(0), [], "{name}");
            assert_eq!(Sph::parse(&sph.text(), &Limits::default()), Ok(sph), "{name}");
        }
    }
}
