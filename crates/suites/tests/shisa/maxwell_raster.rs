//! Draw calls of Maxwell programs: vertices, primitives and their pixels.
use crate::maxwell_chain::{GEOMETRY, Stage, VERTEX, equals_programs_alone, ran, refused, vertex};
use serde_json::{Value, json};

/// Draws the attribute of the vertex that has constant values.
pub(crate) const COLOR: Stage<'_> = (
    "PIXEL",
    &["ImapGenericVector[2] constant.x constant.y constant.z constant.w", "OmapTarget[0] xyzw"],
    "IPA.CONSTANT R0, a[0xa0], RZ\nIPA.CONSTANT R1, a[0xa4], RZ\nIPA.CONSTANT R2, a[0xa8], RZ\n\
     IPA.CONSTANT R3, a[0xac], RZ",
);

/// Passes on the position, and the first component of the other attribute as a distance to a plane.
const CLIPPED: Stage<'_> = (
    "VERTEX",
    &[
        "ImapGenericVector[0] xyzw",
        "ImapGenericVector[1] xyzw",
        "OmapSystemValuesB PositionX PositionY PositionZ PositionW",
        "OmapSystemValuesC ClipDistance3",
    ],
    "ALD.128 R0, a[0x80]\nAST.128 a[0x70], R0\nALD R4, a[0x90]\nAST a[0x2cc], R4",
);

/// A draw call of vertices for a picture of 4 by 4 pixels.
pub(crate) fn draw(topology: &str, vertices: &[Value]) -> Value {
    json!({
        "draw": { "topology": topology, "viewport": { "width": 4, "height": 4 } },
        "stages": { "vertex": { "vertices": vertices } },
    })
}

/// A triangle around the picture, at a depth, in one colour.
pub(crate) fn covering(depth: f32, color: [f32; 4]) -> [Value; 3] {
    [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]].map(|[x, y]| vertex([x, y, depth, 1.0], color))
}

/// A position in pixels.
fn at(x: f32, y: f32, red: f32) -> Value {
    vertex([x / 2.0 - 1.0, 1.0 - y / 2.0, 0.5, 1.0], [red, 0.0, 0.0, 0.0])
}

/// The first component of each pixel; `.` where nothing was drawn.
pub(crate) fn reds(output: &Value) -> Vec<String> {
    let of = |text: &Value| match text.as_str().unwrap().split(' ').next().unwrap() {
        "-" => ".".to_owned(),
        word => f32::from_bits(u32::from_str_radix(word, 16).unwrap()).to_string(),
    };
    let pixels = output["drawn"]["target0"].as_array();
    let all: Vec<String> = pixels.into_iter().flatten().map(of).collect();
    all.chunks(4).map(|row| row.join(" ")).collect()
}

#[test]
fn lines_are_drawn() {
    let mut input = draw("line_strip", &[at(0.5, 0.5, 1.0), at(3.5, 0.5, 2.0), at(3.5, 2.5, 3.0)]);
    let output = ran(&[VERTEX, COLOR], &input);
    equals_programs_alone(&[VERTEX, COLOR], &output);
    assert_eq!(reds(&output), ["2 2 2 3", ". . . 3", ". . . .", ". . . ."]);
    assert_eq!(output["stages"]["fragment"]["pixels"][0]["in"]["front_facing"], true);
    input["draw"]["line_width"] = json!(2);
    assert_eq!(reds(&ran(&[VERTEX, COLOR], &input)), ["2 2 3 3", ". . 3 3", ". . . .", ". . . ."]);
    input["draw"]["line_width"] = json!(64);
    ran(&[VERTEX, COLOR], &input);
    for (width, text) in [(0, "lines of 0 pixels"), (65, "a line has 1 to 64")] {
        input["draw"]["line_width"] = json!(width);
        assert!(refused(&[VERTEX, COLOR], &input).contains(text));
    }
}

#[test]
fn the_provoking_vertex_has_the_constant_values() {
    let corners = [at(0.0, 0.0, 1.0), at(0.0, 4.0, 2.0), at(4.0, 0.0, 3.0), at(4.0, 4.0, 4.0)];
    let mut input = draw("triangle_strip", &corners);
    let colors = |input: &Value| {
        let rows = reds(&ran(&[VERTEX, COLOR], input));
        [rows[0][..1].to_owned(), rows[3][6..].to_owned()]
    };
    assert_eq!(colors(&input), ["3", "4"]);
    input["draw"]["provoking"] = json!("last");
    assert_eq!(colors(&input), ["3", "4"]);
    input["draw"]["provoking"] = json!("first");
    assert_eq!(colors(&input), ["1", "2"]);
    input["draw"]["topology"] = json!("triangle_fan");
    // The second triangle covers the upper right half, and the pixels of the diagonal.
    let rows = reds(&ran(&[VERTEX, COLOR], &input));
    assert_eq!([&rows[0][..1], &rows[2][..1]], ["3", "2"]);
    assert!(
        refused(&[VERTEX, COLOR], &{
            input["draw"]["provoking"] = json!("middle");
            input
        })
        .contains("unknown variant `middle`")
    );
}

/// The strips of a geometry program have their vertices in the same order.
#[test]
fn strips_of_geometry_programs_have_a_provoking_vertex() {
    // Each run outputs four of the vertices of its primitive as a strip.
    let fields: Vec<&str> = GEOMETRY
        .1
        .iter()
        .map(|field| match *field {
            "ThreadsPerInputPrimitive 2" => "ThreadsPerInputPrimitive 1",
            "MaxOutputVertexCount 3" => "MaxOutputVertexCount 4",
            other => other,
        })
        .collect();
    let source = GEOMETRY.2.replace("R3, 0x3, PT", "R3, 0x4, PT");
    let stages = [VERTEX, (GEOMETRY.0, &*fields, &*source), COLOR];
    let corners = [at(0.0, 0.0, 1.0), at(0.0, 4.0, 2.0), at(4.0, 0.0, 3.0), at(4.0, 4.0, 4.0)];
    let mut input = draw("lines_adjacency", &corners);
    let colors = |input: &Value| {
        let rows = reds(&ran(&stages, input));
        [rows[0][..1].to_owned(), rows[3][6..].to_owned()]
    };
    assert_eq!(colors(&input), ["3", "4"]);
    input["draw"]["provoking"] = json!("first");
    assert_eq!(colors(&input), ["1", "2"]);
}

#[test]
fn a_restart_index_ends_a_strip() {
    let vertices = [at(0.5, 0.5, 1.0), at(3.5, 0.5, 2.0), at(0.5, 3.5, 3.0), at(3.5, 3.5, 4.0)];
    let mut input = draw("line_strip", &vertices);
    input["draw"]["indices"] = json!([0, 1, 9, 2, 3]);
    assert!(refused(&[VERTEX, COLOR], &input).contains("index 9 of 4 vertices"));
    input["draw"]["restart"] = json!(9);
    let rows = reds(&ran(&[VERTEX, COLOR], &input));
    assert_eq!(rows, ["2 2 2 .", ". . . .", ". . . .", "4 4 4 ."]);
}

#[test]
fn triangles_are_culled_by_the_side_that_they_show() {
    let [a, b, c] = covering(0.5, [1.0; 4]);
    let [d, e, f] = covering(0.5, [2.0; 4]);
    let mut input = draw("triangles", &[a, b, c, d, f, e]);
    for (cull, drawn) in [("none", "2"), ("back", "1"), ("front", "2"), ("front_and_back", "")] {
        input["draw"]["cull"] = json!(cull);
        let rows = reds(&ran(&[VERTEX, COLOR], &input));
        assert_eq!(rows.first().map_or("", |row| &row[..1]), drawn, "{cull}");
    }
    input["draw"]["front"] = json!("clockwise");
    input["draw"]["cull"] = json!("back");
    assert_eq!(reds(&ran(&[VERTEX, COLOR], &input))[0], "2 2 2 2");
    // Points and lines have no back.
    for topology in ["points", "line_strip"] {
        let mut input = draw(topology, &[at(0.5, 0.5, 1.0), at(2.5, 0.5, 1.0)]);
        input["draw"]["cull"] = json!("front_and_back");
        input["draw"]["front"] = json!("clockwise");
        let output = ran(&[VERTEX, COLOR], &input);
        assert_eq!(&reds(&output)[0][..1], "1", "{topology}");
        assert_eq!(output["stages"]["fragment"]["pixels"][0]["in"]["front_facing"], true);
    }
}

#[test]
fn clip_distances_cut_pixels() {
    // The distance is -1 at the left edge of the picture and 1 at the right one.
    let corners = [([-1.0, -1.0], -1.0), ([3.0, -1.0], 3.0), ([-1.0, 3.0], -1.0)];
    let vertices = corners.map(|([x, y], distance)| vertex([x, y, 0.5, 1.0], [distance, 0.0, 0.0, 0.0]));
    let mut input = draw("triangles", &vertices);
    let stages = [CLIPPED, ("PIXEL", &["OmapTarget[0] x"][..], "MOV R0, RZ")];
    let cut = ["0 0 0 0"; 4].map(|row| row.replacen("0 0", ". .", 1));
    let output = ran(&stages, &input);
    equals_programs_alone(&stages, &output);
    assert_eq!(reds(&output), cut);
    for (numbers, cuts) in [(json!([]), false), (json!([0, 7]), false), (json!([3]), true)] {
        input["draw"]["clip_distances"] = numbers;
        assert_eq!(reds(&ran(&stages, &input)) == cut, cuts);
    }
    input["draw"]["clip_distances"] = json!([8]);
    assert!(refused(&stages, &input).contains("there is no clip distance 8; there are 0 to 7"));
}

#[test]
fn depth_is_cut_or_clamped() {
    let mut input = draw("triangles", &covering(2.0, [1.0; 4]));
    assert_eq!(ran(&[VERTEX, COLOR], &input)["stages"]["fragment"]["pixels"], json!([]));
    input["draw"]["depth_clip"] = json!(false);
    input["draw"]["depth"] = json!({ "test": "always" });
    let output = ran(&[VERTEX, COLOR], &input);
    assert_eq!(reds(&output)[2], "1 1 1 1");
    assert_eq!(output["drawn"]["depth"][5], "3f800000");
}

#[test]
fn instances_have_their_attributes_and_numbers() {
    // The colour is the number of the instance, then that of the vertex.
    let numbers: Stage<'_> = (
        "VERTEX",
        &[
            "ImapGenericVector[0] xyzw",
            "ImapGenericVector[1] xyzw",
            "ImapSystemValuesC InstanceId VertexId",
            "OmapSystemValuesB PositionX PositionY PositionZ PositionW",
            "OmapGenericVector[2] xyzw",
        ],
        "ALD.128 R0, a[0x80]\nALD R8, a[0x90]\nFADD R0, R0, R8\nAST.128 a[0x70], R0\nALD.64 R4, a[0x2f8]\n\
         I2F.F32.U32 R4, R4\nI2F.F32.U32 R5, R5\nMOV R6, RZ\nMOV R7, RZ\nAST.128 a[0xa0], R4",
    );
    let primitive: Stage<'_> = (
        "PIXEL",
        &["ImapSystemValuesB PrimitiveId", "ImapGenericVector[2] constant.x", "OmapTarget[0] xy"],
        "IPA.CONSTANT R0, a[0xa0], RZ\nIPA.CONSTANT R1, a[0x60], RZ",
    );
    let mut input = draw("points", &[]);
    input["stages"] = json!({});
    let vertices = [0.5, 1.5].map(|y| json!({ "in": { "generic0": [-0.75, 1.0 - y / 2.0, 0.5, 1] } }));
    input["draw"]["vertices"] = json!(vertices);
    // Each instance is a column.
    input["draw"]["instances"] =
        (0..4).map(|n| json!({ "in": { "generic1": [f64::from(n) / 2.0] } })).collect();
    let stages = [numbers, primitive];
    let output = ran(&stages, &input);
    equals_programs_alone(&stages, &output);
    assert_eq!(reds(&output), ["0 1 2 3", "0 1 2 3", ". . . .", ". . . ."]);
    // The numbers of primitives begin at 0 in each instance.
    let second = |x: usize, y: usize| output["drawn"]["target0"][4 * y + x].as_str().unwrap()[9..].to_owned();
    assert_eq!(
        [second(0, 0), second(0, 1), second(3, 0), second(3, 1)],
        ["00000000", "00000001"].repeat(2)[..]
    );
    assert_eq!(output["stages"]["vertex"]["vertices"].as_array().unwrap().len(), 8);
    // A number of instances without attributes of their own.
    input["draw"]["instances"] = json!(3);
    let output = ran(&stages, &input);
    assert_eq!(reds(&output)[0], "2 . . .");
    input["draw"]["instances"] = json!(0);
    assert_eq!(ran(&stages, &input)["stages"]["vertex"]["vertices"], json!([]));
    input["draw"].as_object_mut().unwrap().remove("vertices");
    assert!(refused(&stages, &input).contains("instances need \"vertices\" in \"draw\""));
}

/// The programs between have the numbers of primitives that are counted in each instance.
#[test]
fn primitives_of_instances_keep_their_numbers() {
    let mut input = draw("triangles", &[]);
    input["stages"] = json!({});
    input["draw"]["vertices"] = covering(0.5, [1.0; 4]).into_iter().collect();
    input["draw"]["instances"] = json!(2);
    let stages = [VERTEX, GEOMETRY, COLOR];
    let output = ran(&stages, &input);
    equals_programs_alone(&stages, &output);
    let primitives = &output["stages"]["geometry"]["primitives"];
    assert_eq!(primitives.as_array().unwrap().len(), 2);
    assert_eq!((&primitives[0]["in"], &primitives[1]["in"]), (&Value::Null, &json!({ "primitive": 0 })));
}

#[test]
fn the_vertices_of_all_instances_count_against_the_limit() {
    let mut input = draw("points", &[]);
    input["stages"] = json!({});
    input["draw"]["vertices"] = json!([{}, {}]);
    input["draw"]["instances"] = json!(u64::MAX);
    assert!(refused(&[VERTEX, COLOR], &input).contains("bytes of vertices"));
    // Instances of no vertices do not run forever.
    input["draw"]["vertices"] = json!([]);
    assert!(refused(&[VERTEX, COLOR], &input).contains("bytes of vertices"));
}
