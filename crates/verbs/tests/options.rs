//! Options become those of the library: each one alone, and all together; and the gallery has all examples.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use serde_json::{Value, json};
use shisa::Settings;
use shisa::data::pictures::{Attribute, Cull, Render};
use shisa::eval::draw::Factor;
use shisa::pica200::Outputs;
use shisa::translation::{Banks, Form, GlslVersion, Options, Products, ShaderModel, SpirvVersion, Target};
use shisa_verbs::{
    EXAMPLES, LanguageName, NamedAttribute, Rendering, Translating, component, set_choice, set_limit,
};

fn translating(given: Value) -> Translating {
    serde_json::from_value(given).unwrap()
}

fn drawing(given: Value) -> Render {
    serde_json::from_value::<Rendering>(given).unwrap().drawing()
}

#[test]
fn versions_are_targets() {
    use LanguageName::{Glsl, Hlsl, Msl, Spirv, Wgsl};
    let core = Target::Glsl(GlslVersion::Core450);
    for (language, version, target) in [
        (Wgsl, None, Target::Wgsl),
        (Msl, None, Target::Msl),
        (Msl, Some("2.1"), Target::Msl),
        (Glsl, None, core),
        (Glsl, Some("450"), core),
        (Glsl, Some("330"), Target::Glsl(GlslVersion::Core330)),
        (Glsl, Some("300es"), Target::Glsl(GlslVersion::Es300)),
        (Glsl, Some("310es"), Target::Glsl(GlslVersion::Es310)),
        (Hlsl, None, Target::Hlsl(ShaderModel::V5_1)),
        (Hlsl, Some("5.1"), Target::Hlsl(ShaderModel::V5_1)),
        (Hlsl, Some("6.0"), Target::Hlsl(ShaderModel::V6_0)),
        (Spirv, None, Target::Spirv(SpirvVersion::V1_3)),
        (Spirv, Some("1.3"), Target::Spirv(SpirvVersion::V1_3)),
        (Spirv, Some("1.4"), Target::Spirv(SpirvVersion::V1_4)),
        (Spirv, Some("1.5"), Target::Spirv(SpirvVersion::V1_5)),
        (Spirv, Some("1.6"), Target::Spirv(SpirvVersion::V1_6)),
    ] {
        let options = translating(json!({ "targetVersion": version }));
        assert_eq!(options.target(language), Ok(target), "{language:?} {version:?}");
    }
    for (language, version) in [(Wgsl, "1"), (Msl, "3.0"), (Glsl, "1.4"), (Hlsl, "330"), (Spirv, "450")] {
        let refused = translating(json!({ "targetVersion": version })).target(language).unwrap_err();
        assert!(refused.starts_with(&format!("{version}: ")), "{refused}");
    }
}

#[test]
fn each_option_of_a_translation_changes_its_own() {
    let default = || translating(json!({})).options();
    assert_eq!(default(), Options::default());
    for (given, expected) in [
        (json!({ "compute": true }), Options { form: Form::Compute, ..default() }),
        (json!({ "name": "other" }), Options { name: "other".into(), ..default() }),
        (json!({ "comments": true }), Options { comments: true, ..default() }),
        (json!({ "exact": true }), Options { exact: true, ..default() }),
        (json!({ "storageBanks": true }), Options { banks: Banks::Storage, ..default() }),
        (json!({ "products": "fast" }), Options { products: Products::Fast, ..default() }),
        (json!({ "vertices": 7 }), Options { vertices: 7, ..default() }),
        (json!({ "emulateInt64": true }), Options { int64: false, ..default() }),
        (json!({ "float16": true }), Options { float16: true, ..default() }),
    ] {
        assert_eq!(translating(given.clone()).options(), expected, "{given}");
        assert_ne!(expected, default(), "{given}");
    }
}

#[test]
fn what_files_do_not_state_is_set() {
    let mut settings = Settings::default();
    translating(json!({
        "outputs": "registers", "workgroup": "2,3,4", "shared": 5, "local": 6, "primitive": "triangles-adjacency",
        "samples": "4", "subgroups": true,
    }))
    .adjust(&mut settings);
    assert_eq!(settings.pica200.outputs, Outputs::Registers);
    assert_eq!((settings.agx.workgroup, settings.maxwell.workgroup), (Some([2, 3, 4]), Some([2, 3, 4])));
    assert_eq!((settings.maxwell.shared, settings.maxwell.local), (Some(5), Some(6)));
    assert_eq!((settings.maxwell.primitive, settings.agx.samples), (Some(6), Some(4)));
    assert!(settings.subgroups);
}

#[test]
fn each_option_of_a_drawing_changes_its_own() {
    let plain = drawing(json!({}));
    assert_eq!((plain.samples, plain.columns, plain.target, plain.cull), (1, false, 0, Cull::Nothing));
    assert!(plain.attributes.is_empty() && plain.matrix.is_none() && plain.blend.is_none());
    assert!(plain.depth.is_some() && drawing(json!({ "noDepth": true })).depth.is_none());
    assert_eq!(drawing(json!({ "samples": 4 })).samples, 4);
    assert!(drawing(json!({ "columns": true })).columns);
    assert_eq!(drawing(json!({ "target": 3 })).target, 3);
    assert_eq!(drawing(json!({ "matrix": "vc4" })).matrix.as_deref(), Some("vc4"));
    for (order, cull) in [("clockwise", Cull::Clockwise), ("counterclockwise", Cull::Counterclockwise)] {
        assert_eq!(drawing(json!({ "cull": order })).cull, cull);
    }
    for (how, factor) in [("alpha", Factor::SourceAlpha), ("add", Factor::One)] {
        let blend = drawing(json!({ "blend": how })).blend.unwrap();
        assert_eq!((blend.color.source, blend.alpha.source), (factor, Factor::One), "{how}");
    }
}

#[test]
fn inputs_of_meshes_have_names() {
    for (text, what) in [
        ("position", Attribute::Position),
        ("coordinates", Attribute::Coordinates),
        ("normal", Attribute::Normal),
        ("color", Attribute::Color),
    ] {
        let named: NamedAttribute = format!("va1={text}").parse().unwrap();
        assert_eq!(named, NamedAttribute { name: "va1".into(), what });
        let given = json!({ "attribute": [format!("va1={text}")] });
        assert_eq!(drawing(given).attributes.into_iter().collect::<Vec<_>>(), [("va1".to_owned(), what)]);
    }
    for wrong in ["va1", "va1=colour", "va1="] {
        assert!(wrong.parse::<NamedAttribute>().is_err(), "{wrong}");
    }
}

#[test]
fn letters_are_components() {
    for (name, found) in [
        ("c0", ("c0", 0)),
        ("c0.x", ("c0", 0)),
        ("c0.y", ("c0", 1)),
        ("c0.z", ("c0", 2)),
        ("c0.w", ("c0", 3)),
        ("light.q", ("light.q", 0)),
        ("a.b.z", ("a.b", 2)),
    ] {
        assert_eq!(component(name), found);
    }
}

#[test]
fn unknown_choices_and_limits_are_refused_with_what_there_is() {
    let mut settings = Settings::default();
    let refused = set_choice(&mut settings, "ifg", "never").unwrap_err();
    for choice in Settings::choices() {
        let values: Vec<&str> = choice.values.iter().map(|value| value.0).collect();
        assert!(refused.contains(&format!("{}={}", choice.key, values.join("|"))), "{refused}");
        for value in values {
            assert_eq!(set_choice(&mut settings, choice.key, value), Ok(()));
        }
    }
    for (name, value) in [("diagnostic", Some(1)), ("diagnostics", None)] {
        let refused = set_limit(&mut settings, name, value).unwrap_err();
        assert!(refused.contains("diagnostics") && refused.contains("text-out"), "{refused}");
    }
    assert_eq!(set_limit(&mut settings, "diagnostics", Some(7)), Ok(()));
    assert_eq!(settings.limits.diagnostics, 7);
}

#[test]
fn the_gallery_has_all_examples() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let files = std::fs::read_dir(folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.ends_with(".obj")).collect();
    let listed = EXAMPLES.iter().map(|example| example.name.to_owned());
    let inputs = names.iter().filter(|name| name.ends_with(".json")).cloned().collect::<Vec<_>>();
    let mut listed: Vec<String> = listed.chain(inputs.iter().cloned()).collect();
    assert_eq!(EXAMPLES.iter().filter(|example| example.input.is_some()).count(), inputs.len());
    names.sort_unstable();
    listed.sort_unstable();
    assert_eq!(names, listed);
}
