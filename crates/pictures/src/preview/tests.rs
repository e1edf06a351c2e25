use super::{Preview, preview, preview_quad};
use crate::testing::{Copy, io};
use shisa_diag::Limits;
use shisa_ir::{Binding, Interpolation, Sampling, Scalar, Stage};

fn copy(scalar: Scalar, count: u8, binding: Binding) -> Copy {
    Copy {
        stage: Stage::Fragment,
        inputs: vec![io("v0", scalar, count, binding)],
        outputs: vec![io("oc", scalar, count, Binding::Location(0))],
        most: 0.75,
    }
}

fn drawn(shader: &mut Copy, size: [usize; 2]) -> crate::Picture {
    preview(shader, &Preview { size, counts: true, ..Preview::default() }, &Limits::default()).unwrap()
}

#[test]
fn inputs_are_linear_between_corners() {
    let picture = drawn(&mut copy(Scalar::F32, 4, Binding::Location(0)), [2, 4]);
    let rows = [0.125, 0.375, 0.625, 0.875];
    let expected: Vec<[f32; 4]> =
        rows.iter().flat_map(|y| [[0.25, *y, 0.0, 1.0], [0.75, *y, 0.0, 1.0]]).collect();
    assert_eq!(picture.pixels, expected);
    assert_eq!((picture.drawn, picture.executed), (vec![true; 8], 24));
    assert_eq!(picture.counts.unwrap().steps, [3; 8]);
    let mut shader = copy(Scalar::F32, 4, Binding::Location(0));
    let corners = [[1.0; 4], [2.0; 4], [3.0; 4], [8.0; 4]];
    let given = Preview { size: [1, 1], corners: [("v0".into(), corners)].into(), ..Preview::default() };
    let picture = preview(&mut shader, &given, &Limits::default()).unwrap();
    assert_eq!((picture.pixels, picture.drawn), (vec![[3.5; 4]], vec![false]));
}

#[test]
fn other_inputs_have_their_meaning() {
    let flat =
        Binding::Varying { location: 3, interpolation: Interpolation::Flat, sampling: Sampling::Centre };
    for (binding, scalar, expected) in [
        (flat, Scalar::F32, [0.0, 0.0, 0.0, 1.0]),
        (Binding::PixelPosition, Scalar::F32, [1.5, 0.5, 0.5, 1.0]),
        (Binding::Pixel, Scalar::I32, [1.0, 0.0, 0.0, 0.0]),
        (Binding::PointCoordinate, Scalar::F32, [0.75, 0.5, 0.0, 0.0]),
        (Binding::PixelDepth, Scalar::F32, [0.5; 4]),
        (Binding::FrontFacing, Scalar::I32, [1.0; 4]),
        (Binding::PrimitiveIndex, Scalar::I32, [0.0; 4]),
    ] {
        assert_eq!(drawn(&mut copy(scalar, 4, binding), [2, 1]).pixels[1], expected, "{binding:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let limits = Limits { memory: 10_000, ..Limits::default() };
    let plain = || copy(Scalar::F32, 4, Binding::Location(0));
    let named = [("v1".into(), [[0.0; 4]; 4])].into();
    for (mut shader, given, code, text) in [
        (plain(), Preview { size: [0, 1], ..Preview::default() }, "picture-input", "at least one pixel"),
        (plain(), Preview { corners: named, ..Preview::default() }, "picture-input", "`v1`; it reads v0"),
        (plain(), Preview { target: 1, ..Preview::default() }, "picture-output", "no colour 1"),
        (
            plain(),
            Preview { size: [usize::MAX; 2], ..Preview::default() },
            "limit-exceeded",
            "bytes of pixels",
        ),
        (Copy { stage: Stage::Vertex, ..plain() }, Preview::default(), "picture-stage", "a vertex program"),
    ] {
        let fault = preview(&mut shader, &given, &limits).unwrap_err().remove(0);
        assert_eq!(fault.code, code);
        assert!(fault.message.contains(text), "{fault}");
    }
}

#[test]
fn the_quad_of_a_pixel_has_the_inputs_of_the_picture() {
    let mut shader = copy(Scalar::F32, 2, Binding::Location(0));
    let rectangle = Preview { size: [4, 3], ..Preview::default() };
    let mut quad = |pixel| match preview_quad(&mut shader, &rectangle, pixel) {
        Ok(_) => "a run".to_owned(),
        Err(list) => format!("{}: {}", list[0].code, list[0].message),
    };
    let upper =
        "lanes: [false, false, false, false] [0.625, 0.16666667, 0.875, 0.16666667, 0.625, 0.5, 0.875, 0.5]";
    assert_eq!([quad([2, 0]), quad([3, 1])], [upper, upper]);
    let lower = "lanes: [false, false, true, true] [0.125, 0.8333333, 0.375, 0.8333333, 0.125, 1.1666666, 0.375, 1.1666666]";
    assert_eq!(quad([0, 2]), lower);
    assert_eq!(quad([4, 0]), "picture-input: there is no pixel 4,0: the picture has 4x3 pixels");
    assert_eq!(quad([0, 3]), "picture-input: there is no pixel 0,3: the picture has 4x3 pixels");
}
