//! Meshes drawn with pairs of programs, compared with a plain reference of edges.

use shisa::data::debug::{Commands, RECORDING_BYTES, Reply};
use shisa::data::pictures::{
    Cull, Image, Mesh, Picture, PixelOf, Render, Shader, Vertex, render, render_pixel, set_matrices,
};
use shisa::diag::Limits;
use shisa::eval::draw::{Blend, Combination, Equation, Factor};
use shisa::{File, Settings};
use std::collections::BTreeMap;

fn shader(source: &str) -> Box<dyn Shader> {
    let file = File::open(source.as_bytes(), &Settings::new()).unwrap();
    file.program(1).unwrap().shader(None).unwrap()
}

/// The position is as it is, and its last component is the second texture coordinate.
const VERTEX: &str =
    "// agal 1 vertex\nmov vt0, va0\nmov vt0.w, va1.y\nmov op, vt0\nmov v0, va1\nmov v1, va2";

fn vertex(position: [f32; 3], w: f32, coordinate: f32, color: [f32; 3]) -> Vertex {
    Vertex { position, coordinates: [coordinate, w], normal: color, color: [1.0; 4] }
}

fn drawn(fragment: &str, mesh: &Mesh, how: Render) -> Picture {
    let (mut first, mut second) = (shader(VERTEX), shader(fragment));
    render(&mut *first, Some(&mut *second), mesh, &how, &Limits::default()).unwrap()
}

fn sized(size: [usize; 2]) -> Render {
    Render { size, ..Render::default() }
}

/// The weights of the corners of a triangle on the screen at a point, and whether a point on each edge belongs to it.
fn reference(corners: [[f64; 2]; 3], at: [f64; 2]) -> [(f64, bool); 3] {
    let cross =
        |a: [f64; 2], b: [f64; 2], p: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    let [a, b, c] = corners;
    let area = cross(a, b, c);
    [(b, c), (c, a), (a, b)].map(|(from, to)| {
        // On the screen y points down. In the order in which the inside is to the right of each edge, an edge at the top
        // goes to the right, and a left one goes up.
        let [x, y] = [0, 1].map(|axis| (to[axis] - from[axis]) * area.signum());
        (cross(from, to, at) / area, y < 0.0 || y == 0.0 && x > 0.0)
    })
}

/// Numbers from 0 to 1 that a seed determines.
fn numbers(seed: &mut u64) -> f32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 40) as f32 / (1 << 24) as f32
}

/// With w of 1 and powers of two as sizes, numbers are exact, and pixels on edges belong to the triangle as the rule states.
#[test]
fn triangles_cover_the_pixels_inside_of_their_edges() {
    let mut seed = 7;
    let (mut covered, mut on_edges) = (0, 0);
    for round in 0..120 {
        let is_exact = round % 2 == 0;
        let [width, height] = if is_exact { [16, 8] } else { [19, 13] };
        // Corners on a grid of half pixels, so that many pixels are exactly on an edge.
        let corners: [[f64; 2]; 3] = std::array::from_fn(|_| {
            [width, height].map(|size| f64::from((numbers(&mut seed) * 2.0 * size as f32) as u32) / 2.0)
        });
        let w: [f32; 3] =
            std::array::from_fn(|_| if is_exact { 1.0 } else { 0.5 + 2.0 * numbers(&mut seed) });
        let vertices = corners.iter().zip(w).zip([0.0, 1.0, 4.0]).map(|((at, w), value)| {
            let [x, y] =
                [(at[0], width), (at[1], height)].map(|(at, size)| (at * 2.0 / size as f64 - 1.0) as f32);
            vertex([x * w, -y * w, 0.5 * w], w, value, [0.0; 3])
        });
        let mesh = Mesh { vertices: vertices.collect(), triangles: vec![[0, 1, 2]] };
        let picture = drawn("// agal 1 fragment\nmov oc, v0.x", &mesh, sized([width, height]));
        for n in 0..width * height {
            let at = [n % width, n / width].map(|pixel| pixel as f64 + 0.5);
            let edges = reference(corners, at);
            let inside = edges.iter().all(|(weight, owned)| *weight > 0.0 || *weight == 0.0 && *owned);
            let near = edges.iter().any(|(weight, _)| weight.abs() < 1e-6);
            if is_exact || !near {
                assert_eq!(picture.drawn[n], inside, "{corners:?} {at:?}");
            }
            if !picture.drawn[n] {
                continue;
            }
            (covered, on_edges) = (covered + 1, on_edges + usize::from(near && is_exact));
            let parts = [0, 1, 2].map(|n| edges[n].0 / f64::from(w[n]));
            let expected = (parts[1] + 4.0 * parts[2]) / parts.iter().sum::<f64>();
            let found = f64::from(picture.pixels[n][0]);
            assert!((found - expected).abs() < 1e-4, "{corners:?} {at:?}: {found} {expected}");
        }
    }
    assert!(covered > 1000 && on_edges > 20, "{covered} {on_edges}");
}

/// Two triangles with a common edge through the centres of pixels draw each pixel once.
#[test]
fn shared_edges_are_drawn_once() {
    let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let vertices = square.map(|[x, y]| vertex([x, y, 0.5], 1.0, 0.25, [0.0; 3])).to_vec();
    let add = Equation { source: Factor::One, destination: Factor::One, combination: Combination::Add };
    for triangles in [vec![[0, 1, 2], [0, 2, 3]], vec![[1, 0, 2], [3, 2, 0]], vec![[0, 1, 3], [1, 2, 3]]] {
        let mesh = Mesh { vertices: vertices.clone(), triangles };
        let how = Render { depth: None, blend: Some(Blend { color: add, alpha: add }), ..sized([8, 8]) };
        let picture = drawn("// agal 1 fragment\nmov oc, v0.x", &mesh, how);
        assert_eq!(picture.pixels, [[0.25; 4]; 64]);
    }
}

/// The nearer triangle is visible in either order, and a depth of the program's own counts.
#[test]
fn hidden_pixels_are_not_drawn() {
    let layer = |depth: f32, color: f32| {
        let corners = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];
        corners.map(|[x, y]| vertex([x, y, depth], 1.0, color, [0.0; 3]))
    };
    for (order, fragment, expected) in [
        ([(0.25, 1.0), (0.75, 2.0)], "// agal 1 fragment\nmov oc, v0.x", 1.0),
        ([(0.75, 2.0), (0.25, 1.0)], "// agal 1 fragment\nmov oc, v0.x", 1.0),
        ([(0.25, 1.0), (0.75, 0.5)], "// agal 2 fragment\nmov od.x, v0.x\nmov oc, v0.x", 0.5),
    ] {
        let vertices = order.iter().flat_map(|(depth, color)| layer(*depth, *color)).collect();
        let mesh = Mesh { vertices, triangles: vec![[0, 1, 2], [3, 4, 5]] };
        let picture = drawn(fragment, &mesh, sized([4, 4]));
        assert_eq!(picture.pixels, [[expected; 4]; 16], "{order:?}");
        let all = drawn(fragment, &mesh, Render { depth: None, counts: true, ..sized([4, 4]) });
        assert_eq!(all.pixels, [[order[1].1; 4]; 16]);
        let steps = fragment.lines().count() as u32 - 1;
        assert_eq!(all.counts.unwrap().steps, [2 * steps; 16]);
    }
}

#[test]
fn triangles_are_culled_and_clipped_and_derived() {
    let corners = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];
    let mesh = |depth: f32| Mesh {
        vertices: corners.map(|[x, y]| vertex([x, y, depth], 1.0, x, [0.0; 3])).to_vec(),
        triangles: vec![[0, 1, 2]],
    };
    let plain = "// agal 1 fragment\nmov oc, v0.x";
    for (cull, depth, visible) in [
        (Cull::Nothing, 0.0, true),
        (Cull::Clockwise, 1.0, true),
        (Cull::Counterclockwise, 0.5, false),
        (Cull::Nothing, -0.1, false),
        (Cull::Nothing, 1.1, false),
    ] {
        let picture = drawn(plain, &mesh(depth), Render { cull, depth: None, ..sized([2, 2]) });
        assert_eq!(picture.drawn, [visible; 4], "{cull:?} {depth}");
    }
    // Pixels beside the triangle complete quads: the coordinate grows by 2/5 from pixel to pixel.
    let picture = drawn("// agal 2 fragment\nddx ft0, v0.x\nmov oc, ft0", &mesh(0.5), sized([5, 3]));
    assert!(picture.pixels.iter().all(|pixel| (pixel[0] - 0.4).abs() < 1e-5), "{:?}", picture.pixels);
}

#[test]
fn matrices_show_the_mesh_and_textures_are_drawn() {
    let lit = |name: &str| {
        let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
        shader(&std::fs::read_to_string(path).unwrap())
    };
    let bytes = include_bytes!("../../../../examples/cube.obj");
    let mesh = Mesh::read(bytes, &Limits::default()).unwrap();
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (24, 12));
    let (mut first, mut second) = (lit("lit.vert.agal"), lit("lit.frag.agal"));
    let how = sized([32, 32]);
    assert_eq!(set_matrices(&mut *first, &mesh, &how).unwrap(), ["vc0", "vc1", "vc2", "vc3"]);
    second.set_texture("fs0", &Image::coordinates()).unwrap();
    for (name, value) in [("fc0", [0.0, 0.0, 1.0, 0.0]), ("fc1", [0.5; 4]), ("fc2", [0.5; 4])] {
        second.set_constant(name, 0, &value).unwrap();
    }
    let picture = render(&mut *first, Some(&mut *second), &mesh, &how, &Limits::default()).unwrap();
    let visible = picture.drawn.iter().filter(|drawn| **drawn).count();
    assert!((200..900).contains(&visible), "{visible}");
    assert!(picture.drawn[16 * 32 + 16] && !picture.drawn[0]);
    // Without a fragment program the sides have the brightness of their normals.
    let plain = render(&mut *first, None, &mesh, &how, &Limits::default()).unwrap();
    assert_eq!(plain.drawn, picture.drawn);
    let shades: BTreeMap<u32, usize> = plain.pixels.iter().fold(BTreeMap::new(), |mut all, pixel| {
        *all.entry(pixel[0].to_bits()).or_default() += 1;
        all
    });
    assert!(shades.len() <= 4 + 12, "{shades:?}");
    // By columns the matrix is another one.
    let columns = Render { matrix: Some("vc0".into()), columns: true, ..how.clone() };
    set_matrices(&mut *first, &mesh, &columns).unwrap();
    assert_ne!(render(&mut *first, None, &mesh, &how, &Limits::default()).unwrap().drawn, plain.drawn);
}

#[test]
fn what_does_not_fit_is_refused() {
    let corners = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];
    let vertices = corners.map(|[x, y]| vertex([x, y, 0.5], 1.0, x, [0.0; 3])).to_vec();
    let mesh = Mesh { vertices, triangles: vec![[0, 1, 2], [0, 1, 99]] };
    let (mut first, mut second) = (shader(VERTEX), shader("// agal 1 fragment\nmov oc, v0"));
    let limits = Limits::default();
    let mut code = |how: Render, limits: &Limits| {
        let result = render(&mut *first, Some(&mut *second), &mesh, &how, limits);
        result.map_or_else(|faults| faults[0].code.to_string(), |_| "drawn".into())
    };
    assert_eq!(code(sized([4, 4]), &limits), "drawn");
    assert_eq!(code(sized([0, 4]), &limits), "picture-input");
    assert_eq!(code(sized([1 << 20, 1 << 20]), &limits), "limit-exceeded");
    assert_eq!(code(Render { target: 3, ..sized([4, 4]) }, &limits), "picture-output");
    let named = [("va7".to_owned(), shisa::data::pictures::Attribute::Normal)].into();
    assert_eq!(code(Render { attributes: named, ..sized([4, 4]) }, &limits), "picture-input");
    assert_eq!(code(sized([64, 64]), &Limits { run_steps: 1000, ..Limits::default() }), "limit-exceeded");
    let faults = render(&mut *second, Some(&mut *first), &mesh, &sized([4, 4]), &limits).unwrap_err();
    assert_eq!(faults[0].code, "picture-stage");
    let matrix = Render { matrix: Some("vc0".into()), ..sized([4, 4]) };
    assert_eq!(set_matrices(&mut *first, &mesh, &matrix).unwrap_err()[0].code, "picture-input");
}

#[test]
fn pica200_vertices_are_drawn_with_their_colours() {
    let source = include_str!("../../../../examples/flat.v.pica");
    let mut settings = Settings::new();
    settings.name = Some("flat.v.pica".into());
    let file = File::open(source.as_bytes(), &settings).unwrap();
    let mut first = file.program(1).unwrap().shader(None).unwrap();
    let names: Vec<(String, bool)> =
        first.constants().iter().map(|constant| (constant.name.to_string(), constant.is_set)).collect();
    let projection = [0, 1, 2, 3].map(|n| (format!("projection[{n}]"), false));
    assert_eq!(names[..4], projection);
    assert!(names[4..].iter().all(|(_, is_set)| *is_set), "{names:?}");
    let inputs: Vec<&str> = first.inputs().iter().map(|io| &*io.name).collect();
    assert_eq!(inputs, ["position", "colour"]);
    for (n, row) in [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
        .iter()
        .enumerate()
    {
        first.set_constant(&format!("projection[{n}]"), 0, row).unwrap();
    }
    // Visible depths are from -1 to 0; the second layer is nearer, and the third one is not visible.
    let layer = |depth: f32, color: f32| {
        let corners = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];
        corners.map(|[x, y]| Vertex { position: [x, y, depth], color: [color; 4], ..Vertex::default() })
    };
    let vertices = [layer(-0.75, 1.0), layer(-0.25, -0.5), layer(0.25, 0.25)].concat();
    let mesh = Mesh { vertices, triangles: vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]] };
    let picture = render(&mut *first, None, &mesh, &sized([2, 2]), &Limits::default()).unwrap();
    // The program halves red, green and blue; the magnitude of a colour counts.
    assert_eq!(picture.pixels, [[0.25, 0.25, 0.25, 0.5]; 4]);
    for (name, first_component) in [("projection[4]", 0), ("c96", 0), ("projection", 4), ("", 0)] {
        let fault = first.set_constant(name, first_component, &[1.0]).unwrap_err().remove(0);
        assert_eq!(fault.code, "picture-input", "{name}");
    }
    assert_eq!(first.set_texture("t0", &Image::coordinates()).unwrap_err()[0].code, "picture-input");
}

/// With four samples a pixel of a vertical edge has the part of the samples that are on the inner side, and the mean of their
/// colours.
#[test]
fn four_samples_show_parts_of_pixels() {
    // In 4 pixels of a row: edges at 0.75, 1.25 and 2.5 pixels. The samples are at 1/8, 3/8, 5/8 and 7/8 of a pixel.
    for (edge, expected) in
        [(0.75f32, [0.25, 1.0, 1.0, 1.0]), (1.25, [0.0, 0.75, 1.0, 1.0]), (2.5, [0.0, 0.0, 0.5, 1.0])]
    {
        let x = edge / 2.0 - 1.0;
        let corners = [[x, -1.0], [9.0, -1.0], [x, 9.0]];
        let vertices = corners.map(|[x, y]| vertex([x, y, 0.5], 1.0, 0.5, [0.0; 3])).to_vec();
        let mesh = Mesh { vertices, triangles: vec![[0, 1, 2]] };
        let how = Render { samples: 4, counts: true, ..sized([4, 1]) };
        let picture = drawn("// agal 1 fragment\nmov oc, v0.x", &mesh, how.clone());
        assert_eq!(picture.parts, expected, "{edge}");
        let counts = picture.counts.as_ref().unwrap();
        for (n, part) in expected.iter().enumerate() {
            assert_eq!((picture.drawn[n], counts.steps[n]), (*part > 0.0, u32::from(*part > 0.0)));
            assert_eq!(picture.pixels[n], if *part > 0.0 { [0.5; 4] } else { [0.0; 4] });
        }
        let alpha: Vec<u8> = picture.image(false).bytes().chunks(4).map(|pixel| pixel[3]).collect();
        assert_eq!(alpha, expected.map(|part| (part * 255.0 + 0.5) as u8));
        let plain = render(&mut *shader(VERTEX), None, &mesh, &how, &Limits::default()).unwrap();
        assert_eq!(plain.parts, expected);
    }
    // A nearer triangle hides the samples that it covers.
    let layer = |edge: f32, depth: f32, color: f32| {
        let x = edge / 2.0 - 1.0;
        [[x, -1.0], [9.0, -1.0], [x, 9.0]].map(|[x, y]| vertex([x, y, depth], 1.0, color, [0.0; 3]))
    };
    let vertices = [layer(0.5, 0.25, 1.0), layer(0.0, 0.75, 0.25)].concat();
    let mesh = Mesh { vertices, triangles: vec![[0, 1, 2], [3, 4, 5]] };
    let how = Render { samples: 4, ..sized([4, 1]) };
    let picture = drawn("// agal 1 fragment\nmov oc, v0.x", &mesh, how);
    assert_eq!(picture.pixels, [[0.625; 4], [1.0; 4], [1.0; 4], [1.0; 4]]);
    assert_eq!(picture.parts, [1.0; 4]);
    let refused = |samples: usize| {
        let how = Render { samples, ..sized([4, 1]) };
        render(&mut *shader(VERTEX), None, &mesh, &how, &Limits::default()).unwrap_err()[0].code
    };
    assert_eq!([0, 2, 8].map(refused), ["picture-input"; 3]);
}

/// The bits of a register at the end of the run of a pixel, and the visible triangle.
fn debugged(fragment: &str, mesh: &Mesh, how: &Render, of: PixelOf) -> (String, Option<usize>, Vec<usize>) {
    let (mut first, mut second) = (shader(VERTEX), shader(fragment));
    let limits = Limits::default();
    let found = render_pixel(&mut *first, Some(&mut *second), mesh, how, of, &limits).unwrap();
    let mut commands = Commands::new(found.run.session(RECORDING_BYTES));
    for command in [format!("lane {}", found.lane), "end".into()] {
        commands.run(&command).unwrap();
    }
    let Reply::Answer(answer) = commands.run("print oc.x").unwrap() else { panic!("no answer") };
    (answer.text, found.visible, found.covering)
}

/// Two triangles that overlap: the debugger shows the value of the visible one, and of another on request.
#[test]
fn a_debugged_pixel_has_the_colour_of_the_picture() {
    let corners = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];
    let plane = |z: f32, value: f32| corners.map(|[x, y]| vertex([x, y, z], 1.0, value, [0.0; 3]));
    let vertices = [plane(0.25, 0.5), plane(0.75, 0.125)].concat();
    let mesh = Mesh { vertices, triangles: vec![[0, 1, 2], [3, 4, 5]] };
    let fragment = "// agal 1 fragment\nmov oc, v0.x";
    for samples in [1, 4] {
        let how = Render { samples, ..sized([5, 3]) };
        let picture = drawn(fragment, &mesh, how.clone());
        for [x, y] in [[0, 0], [3, 1], [4, 2]] {
            let of = |triangle| debugged(fragment, &mesh, &how, PixelOf { pixel: [x, y], triangle });
            assert_eq!(picture.pixels[y * 5 + x][0], 0.5);
            assert_eq!(of(None), ("oc.x = 0.5".to_owned(), Some(1), vec![1, 2]));
            assert_eq!(of(Some(2)), ("oc.x = 0.125".to_owned(), Some(1), vec![1, 2]));
            let open = Render { depth: None, ..how.clone() };
            let last = debugged(fragment, &mesh, &open, PixelOf { pixel: [x, y], triangle: None });
            assert_eq!(last, ("oc.x = 0.125".to_owned(), Some(2), vec![1, 2]));
        }
    }
}
