//! Draw calls of Maxwell programs: depth, stencil, blending and masks.
use crate::maxwell_chain::{Stage, VERTEX, equals_programs_alone, ran, refused};
use crate::maxwell_raster::{COLOR, covering, draw, reds};
use serde_json::{Value, json};

const STAGES: [Stage<'_>; 2] = [VERTEX, COLOR];

/// Triangles around the picture, each at a depth, in one colour.
fn layers(all: &[(f32, [f32; 4])]) -> Value {
    let vertices: Vec<Value> = all.iter().flat_map(|(depth, color)| covering(*depth, *color)).collect();
    draw("triangles", &vertices)
}

/// The words of a pixel as numbers.
fn color(output: &Value) -> Vec<f32> {
    let text = output["drawn"]["target0"][6].as_str().unwrap();
    text.split(' ').map(|word| f32::from_bits(u32::from_str_radix(word, 16).unwrap())).collect()
}

#[test]
fn the_nearer_pixel_stays() {
    let mut input = layers(&[(0.25, [1.0; 4]), (0.5, [2.0; 4])]);
    let output = ran(&STAGES, &input);
    assert_eq!(reds(&output)[0], "2 2 2 2");
    assert_eq!(output["drawn"]["depth"], Value::Null);
    input["draw"]["depth"] = json!({});
    let output = ran(&STAGES, &input);
    equals_programs_alone(&STAGES, &output);
    assert_eq!(reds(&output)[0], "1 1 1 1");
    assert_eq!(output["drawn"]["depth"][0], "3e800000");
    for (keys, drawn, depth) in [
        (json!({ "test": "greater" }), ".", "3f800000"),
        (json!({ "test": "greater", "clear": 0.0 }), "2", "3f000000"),
        (json!({ "test": "always", "write": false }), "2", "3f800000"),
        (json!({ "test": "less", "clear": 0.4 }), "1", "3e800000"),
        (json!({ "test": "never" }), ".", "3f800000"),
    ] {
        input["draw"]["depth"] = keys.clone();
        let output = ran(&STAGES, &input);
        let rows = reds(&output);
        assert_eq!(rows.first().map_or(".", |row| &row[..1]), drawn, "{keys}");
        assert_eq!(output["drawn"]["depth"][0], depth, "{keys}");
    }
    input["draw"]["depth"] = json!({ "test": "nearer" });
    assert!(refused(&STAGES, &input).contains("\"nearer\" is not a comparison"));
}

/// A program's own depth is before that of the primitive. A pixel whose only sample its mask leaves out is not drawn.
#[test]
fn programs_output_depth_and_the_mask_of_samples() {
    let fields = ["ImapGenericVector[2] constant.x", "OmapTarget[0] x", "OmapSampleMask 1", "OmapDepth 1"];
    let source = "IPA.CONSTANT R0, a[0xa0], RZ\nF2I.U32.F32 R1, R0\nMOV32I R2, 0x3f000000\nFMUL R2, R2, R0";
    let stages = [VERTEX, ("PIXEL", &fields[..], source)];
    let mut input = layers(&[(0.25, [1.0; 4]), (0.75, [2.0; 4])]);
    input["draw"]["depth"] = json!({ "test": "always" });
    let output = ran(&stages, &input);
    equals_programs_alone(&stages, &output);
    assert_eq!((reds(&output)[0].as_str(), &output["drawn"]["depth"][0]), ("1 1 1 1", &json!("3f000000")));
}

#[test]
fn stencil_values_select_pixels() {
    // The front of a triangle marks the upper left half; a back is drawn where the mark is.
    let half = [[-1.0, 1.0], [-1.0, -0.9], [0.9, 1.0]];
    let marks = half.map(|[x, y]| crate::maxwell_chain::vertex([x, y, 0.5, 1.0], [1.0; 4]));
    let [a, b, c] = covering(0.75, [2.0; 4]);
    let vertices: Vec<Value> = marks.into_iter().chain([a, c, b]).collect();
    let mut input = draw("triangles", &vertices);
    let back =
        json!({ "test": "equal", "reference": 6, "read_mask": 14, "fail": "invert", "write_mask": 240 });
    input["draw"]["stencil"] = json!({ "front": { "pass": "increment" }, "back": back, "clear": 5 });
    let output = ran(&STAGES, &input);
    equals_programs_alone(&STAGES, &output);
    assert_eq!(reds(&output), ["2 2 2 .", "2 2 . .", "2 . . .", ". . . ."]);
    // Elsewhere the upper four bits are inverted.
    let row = |y: usize| output["drawn"]["stencil"].as_array().unwrap()[4 * y..4 * y + 4].to_vec();
    assert_eq!((row(0), row(3)), (vec![json!(6), json!(6), json!(6), json!(245)], vec![json!(245); 4]));
    // A back is as a front unless it is stated; the depth test comes after.
    input["draw"]["stencil"] = json!({ "front": { "pass": "increment", "depth_fail": "zero" }, "clear": 7 });
    input["draw"]["depth"] = json!({ "clear": 0.6 });
    let output = ran(&STAGES, &input);
    assert_eq!((&output["drawn"]["stencil"][0], &output["drawn"]["stencil"][15]), (&json!(0), &json!(0)));
    input["draw"]["stencil"] = json!({ "front": { "pass": "double" } });
    assert!(refused(&STAGES, &input).contains("\"double\" is not a stencil action"));
    input["draw"]["stencil"] = json!({ "front": { "reference": 256 } });
    assert!(refused(&STAGES, &input).contains("256"));
}

#[test]
fn colors_are_blended() {
    let (below, above) = ([0.5, 0.25, 0.0, 1.0], [1.0, 0.5, 2.0, 0.25]);
    let mut input = layers(&[(0.5, below), (0.5, above)]);
    let over = json!({ "source": "source_alpha", "destination": "one_minus_source_alpha" });
    let blended = |input: &mut Value, target: Value| {
        input["draw"]["targets"] = json!([target]);
        color(&ran(&STAGES, input))
    };
    assert_eq!(blended(&mut input, json!({})), above);
    assert_eq!(blended(&mut input, json!({ "blend": {} })), above);
    // The lower colour is blended with the cleared one first.
    let cleared = json!({ "blend": { "color": over }, "clear": [0, 0, 0, 0] });
    let mixed: Vec<f32> = (0..4).map(|n| above[n] * 0.25 + below[n] * 0.75).collect();
    assert_eq!(blended(&mut input, cleared), mixed);
    let apart = json!({ "blend": { "color": { "combination": "max" }, "alpha": { "combination": "min" } } });
    assert_eq!(blended(&mut input, apart), [1.0, 0.5, 2.0, 0.0]);
    input["draw"]["blend_constant"] = json!([0.5, 0, 0, 0]);
    let constant = json!({ "blend": { "color": { "source": "constant" } } });
    assert_eq!(blended(&mut input, constant), [0.5, 0.0, 0.0, 0.0]);
    for (blend, text) in [
        (json!({ "color": { "source": "two" } }), "\"two\" is not a factor of blending"),
        (json!({ "alpha": { "combination": "mean" } }), "\"mean\" is not a combination of blending"),
    ] {
        input["draw"]["targets"] = json!([{ "blend": blend }]);
        assert!(refused(&STAGES, &input).contains(text));
    }
}

#[test]
fn masks_keep_components() {
    let mut input = layers(&[(0.5, [1.0, 2.0, 3.0, 4.0])]);
    for (target, expected) in [
        (json!({ "mask": "ga" }), [0.0, 2.0, 0.0, 4.0]),
        (json!({ "mask": "", "clear": [5, 6, 7, 8] }), [5.0, 6.0, 7.0, 8.0]),
        (json!({ "mask": "rgba", "clear": [5, 6, 7, 8] }), [1.0, 2.0, 3.0, 4.0]),
    ] {
        input["draw"]["targets"] = json!([target]);
        assert_eq!(color(&ran(&STAGES, &input)), expected, "{target}");
    }
    input["draw"]["targets"] = json!([{ "mask": "rgbx" }]);
    assert!(refused(&STAGES, &input).contains("\"x\" is not a component of a mask"));
}

#[test]
fn a_cleared_target_has_its_color_where_nothing_is_drawn() {
    let mut input = draw("triangles", &[]);
    input["draw"]["targets"] = json!([{}, { "clear": [1, 0, 0, 1] }]);
    let output = ran(&STAGES, &input);
    let drawn = &output["drawn"];
    assert_eq!(
        (&drawn["target0"], &drawn["target1"][15]),
        (&Value::Null, &json!("3f800000 00000000 00000000 3f800000"))
    );
    input["draw"]["targets"] = json!(vec![json!({}); 8]);
    ran(&STAGES, &input);
    input["draw"]["targets"] = json!(vec![json!({}); 9]);
    assert!(refused(&STAGES, &input).contains("9 targets; there are 8"));
}
