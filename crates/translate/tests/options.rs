//! The host's choices: slots, names, lengths of buffers, the source of sampler state.

use crate::common::cases::tex;
use crate::common::*;
use shisa_ir::*;
use shisa_translate::*;

/// A sample of texture 0 by a sampler without mip filter.
fn sampled() -> Case {
    let sampler = Sampler {
        filter: Filter::Linear,
        mip: None,
        wrap: [Wrap::Repeat; 3],
        anisotropy: 1,
        bias_eighths: 0,
    };
    Case::fragment(|b| {
        let coordinate = b.read(Reg::new(FileId(0), 0), Swizzle::IDENTITY, Scalar::F32.by(2));
        let r = tex(b, 0, Dim::D2, coordinate, Lod::Implicit, Some(sampler));
        output(b, 2, r);
    })
    .texture(Dim::D2, Some(sampler))
}

#[test]
fn a_hosts_sampler_state_is_not_in_the_code() {
    let case = sampled();
    let baked = case.text(Target::Wgsl, &Options::default());
    assert!(baked.contains("textureSampleLevel("), "{baked}");
    let options = Options { sampler_state: SamplerState::Host, ..Options::default() };
    let host = case.text(Target::Wgsl, &options);
    assert!(host.contains("textureSample(fs0, fs0_sampler, "), "{host}");
    let length = |options: &Options| match case.translate(Target::Spirv(SpirvVersion::V1_3), options) {
        Ok(Output { code: Code::Words(words), .. }) => words.len(),
        other => panic!("{other:?}"),
    };
    // An explicit level is one more operand.
    assert!(length(&options) < length(&Options::default()));
}

#[test]
fn single_resources_are_bound_where_the_table_says() {
    let places = vec![
        (Resource::Texture(0), Place { group: 7, binding: 3 }),
        (Resource::Sampler(0), Place { group: 6, binding: 2 }),
        (Resource::Uniforms(0), Place { group: 5, binding: 1 }),
    ];
    let options = Options { places, ..Options::default() };
    let case = Case { interface: sampled().interface, ..sampled() };
    let output = case.translate(Target::Wgsl, &options).expect("it translates");
    let text = output.code.text().expect("WGSL is text");
    for part in [
        "@group(7) @binding(3) var fs0: texture_2d<f32>;",
        "@group(6) @binding(2) var fs0_sampler: sampler;",
        "@group(5) @binding(1) var<uniform> fc: array<vec4<f32>, 8>;",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let texture = &output.reflection.textures[0];
    assert_eq!((texture.slot.group, texture.slot.binding), (7, 3));
    assert_eq!((texture.sampler_group, texture.sampler_binding), (Some(6), Some(2)));
    assert_eq!(output.reflection.uniforms[0].slot.group, 5);
    for target in [Target::Glsl(GlslVersion::Core450), Target::Hlsl(ShaderModel::V6_0), Target::Msl] {
        case.translate(target, &options).unwrap_or_else(|d| panic!("{target:?}: {d:?}"));
    }
}

#[test]
fn the_entry_point_has_the_name_that_is_stated() {
    let case = cases::transform();
    let options = Options { entry: Some("go".into()), ..Options::default() };
    for target in [Target::Wgsl, Target::Msl, Target::Hlsl(ShaderModel::V6_0)] {
        let output = case.translate(target, &options).expect("it translates");
        assert_eq!(output.reflection.entry, "go");
        let text = output.code.text().expect("a text").to_owned();
        assert!(text.contains(" go(") && !text.contains("program_main"), "{text}");
    }
    for entry in ["program", "a b", ""] {
        let options = Options { entry: Some(entry.into()), ..Options::default() };
        let faults = case.translate(Target::Wgsl, &options).expect_err("no such name");
        assert_eq!(faults[0].code, "translate-name");
    }
}

#[test]
fn registers_past_the_hosts_buffer_are_refused_everywhere() {
    let reads = |register| {
        Case::fragment(|b| {
            let v = constant(b, register);
            output(b, 2, v);
        })
    };
    let targets = [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Hlsl(ShaderModel::V6_0),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ];
    // Of the first register past the buffer, any component.
    let component = |n: u16| {
        Case::fragment(|b| {
            let v = b.read(Reg::new(FileId(1), 4 * 8 + n), Swizzle::IDENTITY, Scalar::F32.by(1));
            let v = b.splat(v, 4);
            output(b, 2, v);
        })
    };
    for target in targets {
        for n in 0..4 {
            let faults = component(n).translate(target, &Options::default()).expect_err("fc has 8 registers");
            assert_eq!(faults[0].code, "translate-uniform-range", "component {n}");
        }
        assert!(reads(7).translate(target, &Options::default()).is_ok());
        let faults = reads(8).translate(target, &Options::default()).expect_err("fc has 8 registers");
        assert_eq!(faults[0].code, "translate-uniform-range");
        assert!(
            faults[0].message.contains("`fc8` is read") && faults[0].message.contains("holds 8 registers")
        );
        let longer = Options { uniform_lengths: vec![("fc".into(), 9)], ..Options::default() };
        assert!(reads(8).translate(target, &longer).is_ok());
        let shorter = Options { uniform_lengths: vec![("fc".into(), 7)], ..Options::default() };
        assert!(reads(7).translate(target, &shorter).is_err());
    }
}

#[test]
fn inputs_and_outputs_have_the_locations_that_are_stated() {
    let case = cases::transform();
    let names = |list: &[Io]| {
        let located = list.iter().filter(|io| matches!(io.binding, Binding::Location(_)));
        located.map(|io| io.name.clone()).collect::<Vec<_>>()
    };
    let (inputs, outputs) = (names(&case.interface.inputs), names(&case.interface.outputs));
    let moved = inputs.iter().chain(&outputs).cloned().zip(7..).collect();
    let options = Options { locations: moved, ..Options::default() };
    for target in
        [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3), Target::Msl, Target::Hlsl(ShaderModel::V6_0)]
    {
        let output = case.translate(target, &options).unwrap_or_else(|d| panic!("{target:?}: {d:?}"));
        let all = output.reflection.inputs.iter().chain(&output.reflection.outputs);
        let stated: Vec<u32> = all.filter_map(|v| v.location).collect();
        assert_eq!(stated, (7..7 + stated.len() as u32).collect::<Vec<_>>(), "{target:?}");
        if let Some(text) = output.code.text().filter(|_| target == Target::Wgsl) {
            assert!(text.contains("@location(7)") && !text.contains("@location(0)"), "{text}");
        }
    }
    assert!(inputs.len() > 1, "two inputs can have the same location");
    let same = inputs.iter().map(|name| (name.clone(), 3)).collect();
    let refused = case.translate(Target::Wgsl, &Options { locations: same, ..Options::default() });
    assert_eq!(refused.unwrap_err()[0].code, "translate-location");
}

#[test]
fn reads_with_other_sampler_state_are_listed() {
    let state = |filter| Sampler { filter, ..Sampler::default() };
    let case = Case::fragment(|b| {
        let coordinate = b.read(Reg::new(FileId(0), 0), Swizzle::IDENTITY, Scalar::F32.by(2));
        tex(b, 0, Dim::D2, coordinate, Lod::Implicit, Some(state(Filter::Linear)));
        let r = tex(b, 0, Dim::D2, coordinate, Lod::Implicit, Some(state(Filter::Nearest)));
        output(b, 2, r);
    })
    .texture(Dim::D2, Some(state(Filter::Linear)));
    let texture = &case.translate(Target::Wgsl, &Options::default()).unwrap().reflection.textures[0];
    let filters: Vec<_> = texture.reads.iter().map(|read| read.sampling.map(|s| s.filter)).collect();
    assert_eq!(texture.sampling.map(|s| s.filter), Some(Filter::Linear));
    assert_eq!(filters, [Some(Filter::Nearest)]);
}
