use super::render;
use crate::testing::{Copy, io};
use crate::{Cull, Mesh, Picture, Render, Shader, Vertex};
use shisa_diag::Limits;
use shisa_eval::draw::{Blend, Combination, DepthTest, Equation, Factor};
use shisa_eval::{Compare, Format, TargetFormat};
use shisa_ir::{Binding, Interpolation, Io, Sampling, Scalar, Stage};

fn vector(name: &'static str, binding: Binding) -> Io {
    io(name, Scalar::F32, 4, binding)
}

fn program(stage: Stage, inputs: Vec<Io>, outputs: Vec<Io>) -> Copy {
    Copy { stage, inputs, outputs, most: f32::INFINITY }
}

/// Layers with the depths of their corners and a colour, drawn one over the other. Corners are counterclockwise.
fn drawn(layers: &[([f32; 3], [f32; 4])], how: &Render) -> Picture {
    let [inputs, outputs] = ["v0", "oc"].map(|name| vec![vector(name, Binding::Location(0))]);
    let mut fragment = program(Stage::Fragment, inputs, outputs);
    drawn_by(vector("v0", Binding::Location(0)), Some(&mut fragment), layers, how)
}

/// As [`drawn`], with an output of the colour and a fragment program.
fn drawn_by(
    color: Io,
    fragment: Option<&mut dyn Shader>,
    layers: &[([f32; 3], [f32; 4])],
    how: &Render,
) -> Picture {
    let inputs = vec![
        vector("position", Binding::Location(0)),
        io("color", Scalar::F32, color.count, Binding::Location(1)),
    ];
    let mut vertex = program(Stage::Vertex, inputs, vec![vector("op", Binding::Position), color]);
    let vertices = layers.iter().flat_map(|([a, b, c], color)| {
        let corners = [[-1.0, -1.0, *a], [3.0, -1.0, *b], [-1.0, 3.0, *c]];
        corners.map(|position| Vertex { position, color: *color, ..Vertex::default() })
    });
    let triangles = (0..layers.len()).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]);
    let mesh = Mesh { vertices: vertices.collect(), triangles: triangles.collect() };
    render(&mut vertex, fragment, &mesh, how, &Limits::default()).unwrap()
}

fn sized(samples: usize) -> Render {
    Render { size: [2, 1], samples, ..Render::default() }
}

#[test]
fn depth_tests_compare_with_the_cleared_depth_and_store() {
    let layers = [([0.5; 3], [1.0; 4]), ([0.25; 3], [2.0; 4]), ([0.75; 3], [3.0; 4])];
    for (compare, writes, cleared_depth, color, depth) in [
        (Compare::Less, true, 1.0, Some(2.0), 0.25),
        (Compare::Less, false, 1.0, Some(3.0), 1.0),
        (Compare::Less, true, 0.5, Some(2.0), 0.25),
        (Compare::LessEqual, true, 0.5, Some(2.0), 0.25),
        (Compare::Greater, true, 0.0, Some(3.0), 0.75),
        (Compare::Greater, true, 0.75, None, 0.75),
        (Compare::GreaterEqual, true, 0.75, Some(3.0), 0.75),
        (Compare::Equal, true, 0.5, Some(1.0), 0.5),
        (Compare::NotEqual, true, 0.5, Some(3.0), 0.75),
        (Compare::Never, true, 1.0, None, 1.0),
        (Compare::Always, true, 0.0, Some(3.0), 0.75),
    ] {
        for samples in [1, 4] {
            let depth_test = Some(DepthTest { compare, writes });
            let picture = drawn(&layers, &Render { depth: depth_test, cleared_depth, ..sized(samples) });
            assert_eq!(picture.depths, vec![depth; 2 * samples], "{compare:?} {writes} {cleared_depth}");
            assert_eq!(picture.drawn, [color.is_some(); 2]);
            assert_eq!(picture.pixels, [[color.unwrap_or(0.0); 4]; 2]);
        }
    }
    let open = drawn(&layers, &Render { depth: None, ..sized(1) });
    assert_eq!((open.pixels, open.depths), (vec![[3.0; 4]; 2], vec![]));
}

#[test]
fn colours_are_blended_with_the_constant_one() {
    let combination = Combination::Subtract;
    let color = Equation { source: Factor::Constant, destination: Factor::One, combination };
    let alpha = Equation { source: Factor::One, destination: Factor::ConstantAlpha, combination };
    let (blend, constant) = (Some(Blend { color, alpha }), [0.5, 0.25, 2.0, 0.125]);
    let how = Render { depth: None, blend, constant, ..sized(1) };
    let picture = drawn(&[([0.5; 3], [1.0; 4]), ([0.5; 3], [2.0, 4.0, 1.0, 1.0])], &how);
    assert_eq!(picture.pixels, [[0.5, 0.75, 0.0, 0.875]; 2]);
}

/// Components that the vertex program does not write are 0, 0, 0, 1.
#[test]
fn pixels_without_a_program_have_the_colour_of_the_vertices() {
    for (count, expected) in [(2, [2.0, 3.0, 0.0, 1.0]), (3, [2.0, 3.0, 4.0, 1.0]), (4, [2.0, 3.0, 4.0, 5.0])]
    {
        let color = io("color", Scalar::F32, count, Binding::Location(0));
        let picture = drawn_by(color, None, &[([0.5; 3], [2.0, 3.0, 4.0, 5.0])], &sized(1));
        assert_eq!(picture.pixels, [expected; 2]);
    }
}

/// The second pixel of a slope that is at the depth 3/8 there.
#[test]
fn inputs_of_pixels_have_their_meaning() {
    let varying = |interpolation| Binding::Varying { location: 0, interpolation, sampling: Sampling::Centre };
    for (binding, scalar, expected) in [
        (varying(Interpolation::Flat), Scalar::F32, [2.0, 3.0, 4.0, 1.0]),
        (varying(Interpolation::Linear), Scalar::F32, [2.0, 3.0, 4.0, 1.0]),
        (varying(Interpolation::Perspective), Scalar::F32, [2.0, 3.0, 4.0, 1.0]),
        (Binding::Location(7), Scalar::F32, [0.0, 0.0, 0.0, 1.0]),
        (Binding::PixelPosition, Scalar::F32, [1.5, 0.5, 0.375, 1.0]),
        (Binding::Pixel, Scalar::I32, [1.0, 0.0, 0.0, 0.0]),
        (Binding::PixelDepth, Scalar::F32, [0.375; 4]),
        (Binding::FrontFacing, Scalar::I32, [1.0; 4]),
        (Binding::SampleMask, Scalar::I32, [1.0; 4]),
        (Binding::PrimitiveIndex, Scalar::I32, [0.0; 4]),
    ] {
        let [inputs, outputs] = [("in", binding), ("oc", Binding::Location(0))]
            .map(|(name, binding)| vec![io(name, scalar, 4, binding)]);
        let mut fragment = program(Stage::Fragment, inputs, outputs);
        let color = io("v0", Scalar::F32, 3, Binding::Location(0));
        let slope = [([0.0, 1.0, 0.0], [2.0, 3.0, 4.0, 5.0])];
        let picture = drawn_by(color, Some(&mut fragment), &slope, &sized(1));
        assert_eq!(picture.pixels[1], expected, "{binding:?}");
    }
}

#[test]
fn triangles_of_a_winding_are_culled() {
    for (cull, is_drawn) in [(Cull::Nothing, true), (Cull::Clockwise, true), (Cull::Counterclockwise, false)]
    {
        assert_eq!(drawn(&[([0.5; 3], [1.0; 4])], &Render { cull, ..sized(4) }).drawn, [is_drawn; 2]);
    }
}

/// The depth grows by 1/4 from pixel to pixel. The samples are at 3/8, 7/8, 1/8 and 5/8 of a pixel.
#[test]
fn each_sample_has_the_depth_at_its_position() {
    let slope = [([0.0, 1.0, 0.0], [1.0; 4])];
    let depths = [0.375, 0.875, 0.125, 0.625, 1.375, 1.875, 1.125, 1.625].map(|x| x / 4.0);
    assert_eq!(drawn(&slope, &sized(4)).depths, depths);
    assert_eq!(drawn(&slope, &sized(1)).depths, [0.125, 0.375]);
    // Only the samples before the depth of the slope are drawn.
    let half = [slope[0], ([0.2; 3], [3.0; 4])];
    let picture = drawn(&half, &sized(4));
    assert_eq!((picture.parts, picture.pixels), (vec![1.0; 2], vec![[1.5; 4], [3.0; 4]]));
}

/// A normalised target clamps the colours that are blended, the constant one too, and rounds the result; one without alpha is
/// opaque.
#[test]
fn targets_hold_what_their_format_can() {
    let combination = Combination::Add;
    let add = Equation { source: Factor::Constant, destination: Factor::One, combination };
    let format = |name| Format::from_name(name).and_then(TargetFormat::new);
    let how = |name| {
        let (blend, constant) = (Some(Blend { color: add, alpha: add }), [2.0, 0.5, 0.25, 0.5]);
        Render { depth: None, blend, constant, format: format(name), ..sized(1) }
    };
    let layers = [([0.5; 3], [3.0, 0.3, -1.0, 0.5]), ([0.5; 3], [0.0, 0.3, 1.0, 0.0])];
    let bytes = |n: [f32; 4]| n.map(|n| n / 255.0);
    // 0.5 * 0.3 is 38.25 / 255, twice.
    assert_eq!(drawn(&layers, &how("rgba8")).pixels, [bytes([255.0, 76.0, 64.0, 64.0]); 2]);
    assert_eq!(drawn(&layers, &how("rg16f")).pixels[0][2..], [0.0, 1.0]);
    assert_eq!(drawn(&layers, &how("rg16f")).pixels[0][0], 6.0);
}
