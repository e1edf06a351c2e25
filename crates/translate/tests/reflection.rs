//! The contents of the reflection, and that its JSON matches the schema.

use crate::common::*;
use crate::schema::faults;
use serde_json::Value as Json;
use shisa_ir::Dim;
use shisa_translate::*;

const SCHEMA: &str = include_str!("../../../docs/schema/reflection.schema.json");

#[test]
fn json_is_what_the_schema_states() {
    let schema: Json = serde_json::from_str(SCHEMA).unwrap();
    let targets = [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Es310),
        Target::Hlsl(ShaderModel::V5_1),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ];
    for (name, case) in cases::all() {
        for target in targets {
            for form in [Form::Stage, Form::Compute] {
                // Some programs have no compute form; their refusals are tested elsewhere.
                let Ok(output) = case.translate(target, &Options { form, ..Options::default() }) else {
                    continue;
                };
                let json = serde_json::to_value(&output.reflection).unwrap();
                assert_eq!(faults(&schema, &schema, &json, name), [""; 0]);
            }
        }
    }
    // The schema checker itself finds faults.
    let output = cases::transform().translate(Target::Wgsl, &Options::default()).unwrap();
    let good = serde_json::to_value(&output.reflection).unwrap();
    for (member, bad) in
        [("version", 2.into()), ("stage", "pixel".into()), ("more", Json::Null), ("inputs", 1.into())]
    {
        let mut json = good.clone();
        json[member] = bad;
        assert_eq!(faults(&schema, &schema, &json, "").len(), 1, "{member}");
    }
}

#[test]
fn bindings_are_where_the_options_say() {
    let bindings = Bindings { fragment: 4, first_texture: 9, ..Bindings::default() };
    let case = Case::fragment(|b| {
        let v = input(b, 0);
        let coord = b.swizzle(v, shisa_ir::Swizzle::IDENTITY, 2);
        let c = cases::tex(b, 0, Dim::D2, coord, shisa_ir::Lod::Implicit, None);
        output(b, 2, c);
    })
    .texture(Dim::D2, None);
    let options = Options { bindings, ..Options::default() };
    let Output { code: Code::Text(text), reflection, .. } = case.translate(Target::Wgsl, &options).unwrap()
    else {
        panic!("WGSL is text");
    };
    assert!(text.contains("@group(4) @binding(0)") && text.contains("@group(4) @binding(9)"));
    let texture = &reflection.textures[0];
    assert_eq!((texture.slot.group, texture.slot.binding, texture.sampler_binding), (4, 9, Some(10)));
    assert_eq!((reflection.uniforms[0].slot.binding, reflection.uniforms[0].size), (0, 128));
    assert_eq!(reflection.entry, "program_main");
}

#[test]
fn glsl_names_and_slots_are_those_of_the_text() {
    let target = Target::Glsl(GlslVersion::Core450);
    let Output { code: Code::Text(text), reflection, .. } =
        cases::transform().translate(target, &Options::default()).unwrap()
    else {
        panic!("GLSL is text");
    };
    let slot = &reflection.uniforms[0].slot;
    assert_eq!((slot.glsl.as_deref(), slot.index), (Some("vc_vertex"), Some(0)));
    assert!(text.contains("layout(std140, binding = 0) uniform vc_vertex { vec4 vc[16]; };"));
}
