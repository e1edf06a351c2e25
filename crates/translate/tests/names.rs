//! Names of values in WGSL: as instructions request them, but unique and not reserved.

use crate::common::*;
use shisa_ir::Builder;
use shisa_translate::*;

/// The names of values whose instructions request these, in one function.
fn given(wanted: &[impl AsRef<str>]) -> Vec<String> {
    let mut case = Case::vertex(|b| {
        let mut sum = input(b, 0);
        for origin in 0..wanted.len() {
            b.origin = origin as u32;
            let addend = input(b, 1);
            sum = b.fadd(sum, addend);
        }
        output(b, 2, sum);
        output(b, 3, sum);
    });
    case.source = wanted.iter().map(|name| (String::new(), name.as_ref().into())).collect();
    let text = case.text(Target::Wgsl, &Options::default());
    let names = text.lines().filter_map(|line| line.trim().strip_prefix("let "));
    names.filter_map(|line| Some(line.split_once(' ')?.0.into())).collect()
}

#[test]
fn names_are_spelled_and_numbered() {
    let wanted = ["ft0", "ft0", "ft0_1", "ft0_1_", "loop", "-3", "\u{fc}", "2d"];
    let expected = ["ft0", "ft0_1", "ft0_1_", "ft0_1__1", "loop_1", "n_3_", "n_", "n2d"];
    assert_eq!(given(&wanted), expected);
}

#[test]
fn long_names_are_written_whole() {
    let (short, long) = ("exactly_16_bytes", "more_than_sixteen_bytes");
    let expected = [short, "exactly_16_bytes_1", long, "x", "more_than_sixteen_bytes_1"];
    assert_eq!(given(&[short, short, long, "x", long]), expected);
}

#[test]
fn many_names_differ() {
    let wanted: Vec<String> = (0..500).map(|n| format!("w{n}")).collect();
    assert_eq!(given(&wanted), wanted);
    let again = [wanted.clone(), wanted.clone()].concat();
    let second = wanted.iter().map(|name| format!("{name}_1"));
    assert_eq!(given(&again), Vec::from_iter(wanted.iter().cloned().chain(second)));
}

/// Names of the module are visible in all functions, those of a function in no other.
#[test]
fn names_of_a_function_are_free_in_the_next() {
    let mut case = cases::transform();
    case.interface.uniforms[0].name = "v7".into();
    case.interface.inputs[0].name = "v7".into();
    case.interface.inputs[1].name = "own".into();
    let text = case.text(Target::Wgsl, &Options::default());
    execute::judge_wgsl(&text).unwrap();
    assert!(text.contains("v7: array") && text.contains("(v7_1: vec4<f32>, own: vec4<f32>)"), "{text}");
}

#[test]
fn every_word_that_naga_avoids_is_reserved() {
    use naga_module::naga::keywords::wgsl::{BUILTIN_IDENTIFIERS, RESERVED};
    for word in RESERVED.iter().chain(BUILTIN_IDENTIFIERS) {
        assert_eq!(given(&[word]), [format!("{word}_1")]);
    }
    for name in ["vt0", "loops", "zzz"] {
        assert_eq!(given(&[name]), [name]);
    }
}

/// An instruction that only copies a value yields the same value.
#[test]
fn copies_have_the_names_of_their_values() {
    let copy = |b: &mut Builder, v| {
        let parts = [0, 1, 2, 3].map(|i| b.component(v, i));
        b.join(&parts)
    };
    let mut case = Case::vertex(|b| {
        let (x, y) = (input(b, 0), input(b, 1));
        let sum = b.fadd(x, y);
        b.origin = 1;
        let of_sum = copy(b, sum);
        b.origin = 2;
        let of_input = copy(b, x);
        b.origin = 3;
        let out = b.fmul(of_sum, of_input);
        output(b, 2, out);
        output(b, 3, sum);
    });
    case.source = ["sum", "of_sum", "of_input", "out"].map(|name| (String::new(), name.into())).into();
    let languages =
        [Target::Wgsl, Target::Glsl(GlslVersion::Core450), Target::Hlsl(ShaderModel::V6_0), Target::Msl];
    for target in languages {
        let text = case.text(target, &Options::default());
        assert!(text.contains(" sum = ") && !text.contains("of_"), "{target:?}\n{text}");
    }
}
