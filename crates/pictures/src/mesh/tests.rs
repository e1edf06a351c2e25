use super::{Mesh, Vertex};
use shisa_diag::Limits;

fn read(bytes: &[u8]) -> Mesh {
    Mesh::read(bytes, &Limits::default()).unwrap()
}

fn refused(bytes: &[u8], limits: &Limits) -> String {
    Mesh::read(bytes, limits).unwrap_err()[0].to_string()
}

const SQUARE: &str =
    "# a square\nv 0 0 0\nv 1 0 0 0.5 0.25 1\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0.25\nvn 0 0 2\n";

#[test]
fn obj_faces_become_triangles() {
    let mesh = read(format!("{SQUARE}usemtl wood\nf 1/1/1 2/2/1 3/2/1 4/1/1 # all\n").as_bytes());
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    let second = Vertex {
        position: [1.0, 0.0, 0.0],
        coordinates: [1.0, 0.75],
        normal: [0.0, 0.0, 1.0],
        color: [0.5, 0.25, 1.0, 1.0],
    };
    assert_eq!(mesh.vertices[1], second);
    // The same corners are the same vertices; numbers below zero count from the end.
    let mesh = read(format!("{SQUARE}f 1 2 3\nf 1//1 -2//-1 -1//-1\nf 1 3 4\n").as_bytes());
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (7, 3));
    assert_eq!(mesh.triangles[2], [0, 2, 6]);
    // A normal that is absent is that of the triangles.
    assert_eq!(mesh.vertices[0].normal, [0.0, 0.0, 1.0]);
}

#[test]
fn damaged_obj_is_refused_with_its_line() {
    for (line, text) in [
        ("v 0 x 0", "`x` is not a number"),
        ("v 0 inf 0", "`inf` is not a number"),
        ("v 0 0", "2 numbers, and 3 are needed"),
        ("f 1 2 5", "corner `5` names entry 5 of 4"),
        ("f 1 2 0", "corner `0` names entry 0 of 4"),
        ("f 1 2 -5", "entry -5 of 4"),
        ("f 1 2 9223372036854775808", "names entry"),
        ("f 1 2", "2 corners"),
        ("f 1/1/1/1 2 3", "is not a corner"),
        ("f /1 2 3", "is not a corner"),
    ] {
        let source = format!("{SQUARE}{line}\nf 1 2 3\n");
        let fault = Mesh::read(source.as_bytes(), &Limits::default()).unwrap_err().remove(0);
        assert!(fault.code == "mesh-obj" && fault.message.contains(text), "{line}: {fault}");
        assert_eq!(&source[fault.labels[0].span.start..fault.labels[0].span.end], line);
    }
    assert!(refused(b"v 0 0 0\n", &Limits::default()).contains("no triangles"));
    assert!(refused(&[0xff, 0xfe], &Limits::default()).contains("neither text"));
    let little = Limits { memory: 100, ..Limits::default() };
    assert!(refused(format!("{SQUARE}f 1 2 3\n").as_bytes(), &little).contains("memory"));
    let little = Limits { file: 10, ..Limits::default() };
    assert!(refused(SQUARE.as_bytes(), &little).contains("file"));
}

/// A triangle in a buffer: three positions as floats, then three indices of 16 bits.
fn buffer() -> Vec<u8> {
    let positions = [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut bytes: Vec<u8> = positions.iter().flat_map(|value| value.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2].iter().flat_map(|index| index.to_le_bytes()));
    bytes
}

fn json(uri: &str, nodes: &str, last: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scenes": [{{"nodes": [0]}}], "nodes": {nodes},
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}},
                      {{"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"{last}}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}}, {{"buffer": 0, "byteOffset": 36, "byteLength": 6}}],
        "buffers": [{{"byteLength": 42{uri}}}]}}"#
    )
}

fn embedded() -> String {
    format!(r#", "uri": "data:application/octet-stream;base64,{}""#, shisa_run::to_base64(&buffer()))
}

const MOVED: &str = r#"[{"children": [1], "translation": [5, 0, 0]}, {"mesh": 0, "scale": [2, 3, 4]}]"#;

#[test]
fn gltf_nodes_move_their_meshes() {
    let mesh = read(json(&embedded(), MOVED, "").as_bytes());
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
    let positions: Vec<[f32; 3]> = mesh.vertices.iter().map(|vertex| vertex.position).collect();
    assert_eq!(positions, [[5.0, 0.0, 0.0], [7.0, 0.0, 0.0], [5.0, 3.0, 0.0]]);
    assert_eq!(mesh.vertices[0].normal, [0.0, 0.0, 1.0]);
    // A right angle about z as a rotation, and as a matrix that also mirrors.
    let turned = r#"[{"mesh": 0, "rotation": [0, 0, 0.70710678, 0.70710678]}]"#;
    let [x, y, _] = read(json(&embedded(), turned, "").as_bytes()).vertices[1].position;
    assert!(x.abs() < 1e-6 && (y - 1.0).abs() < 1e-6);
    let mirrored = r#"[{"mesh": 0, "matrix": [0,1,0,0, 1,0,0,0, 0,0,1,0, 0,0,0,1]}]"#;
    let mesh = read(json(&embedded(), mirrored, "").as_bytes());
    assert_eq!((mesh.vertices[1].position, mesh.triangles[0]), ([0.0, 1.0, 0.0], [0, 2, 1]));
}

/// A node in a turned one, of which it is the unit of the third axis away: its corners are that axis, and the first and the
/// second axis from there.
#[test]
fn rotations_turn_all_axes() {
    let nodes = r#"[{"children": [1], "rotation": ROTATION}, {"mesh": 0, "translation": [0, 0, 1]}]"#;
    let half = 0.5f32.sqrt();
    for ([x, y, z, w], axes) in [
        ([half, 0.0, 0.0, half], [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
        ([0.0, half, 0.0, half], [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
        // The quaternion 1, 2, 3, 4 of length one.
        (
            [1.0, 2.0, 3.0, 4.0].map(|n: f32| n / 30f32.sqrt()),
            [[4.0, 28.0, -10.0], [-20.0, 10.0, 20.0], [22.0, 4.0, 20.0]].map(|axis| axis.map(|n| n / 30.0)),
        ),
    ] {
        let nodes = nodes.replace("ROTATION", &format!("[{x}, {y}, {z}, {w}]"));
        let mesh = read(json(&embedded(), &nodes, "").as_bytes());
        let [a, b, c] = axes;
        let corners = [c, [0, 1, 2].map(|n| c[n] + a[n]), [0, 1, 2].map(|n| c[n] + b[n])];
        for (vertex, corner) in mesh.vertices.iter().zip(corners) {
            let far = (0..3).map(|n| (vertex.position[n] - corner[n]).abs()).fold(0.0, f32::max);
            assert!(far < 1e-6, "{:?} and {corner:?}", vertex.position);
        }
    }
}

/// Normals stay perpendicular to what their node shears, and follow it if it mirrors.
#[test]
fn normals_follow_their_node() {
    let normals = |matrix: [[i32; 3]; 3], accessor: &str| {
        let [a, b, c] = matrix.map(|[x, y, z]| format!("{x},{y},{z},0"));
        let nodes = format!(r#"[{{"mesh": 0, "matrix": [{a}, {b}, {c}, 0,0,0,1]}}]"#);
        let source = json(&embedded(), &nodes, accessor);
        let last = if accessor.is_empty() { 0 } else { 2 };
        let with = format!(r#""POSITION": 0, "NORMAL": {last}"#);
        read(source.replace(r#""POSITION": 0"#, &with).as_bytes())
            .vertices
            .iter()
            .map(|v| v.normal)
            .collect::<Vec<_>>()
    };
    let half = 0.5f32.sqrt();
    // The positions are also the normals: the second is the first axis, the third the second one.
    let sheared = normals([[1, 0, 0], [1, 1, 0], [0, 0, 1]], "");
    assert_eq!(sheared[1..], [[half, -half, 0.0], [0.0, 1.0, 0.0]]);
    let mirrored = normals([[-1, 0, 0], [0, 1, 0], [0, 0, 1]], "");
    assert_eq!(mirrored[1..], [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    // From the second number on, the first normal is the third axis.
    let shifted =
        r#"}, {"bufferView": 0, "byteOffset": 4, "componentType": 5126, "count": 1, "type": "VEC3""#;
    let sheared = normals([[1, 0, 1], [0, 1, 0], [0, 0, 1]], shifted);
    assert_eq!(sheared[0], [-half, 0.0, half]);
}

#[test]
fn glb_has_its_buffer_inside() {
    let chunk =
        |kind: &[u8], contents: &[u8]| [&(contents.len() as u32).to_le_bytes()[..], kind, contents].concat();
    let json = json("", MOVED, "");
    let chunks = [chunk(b"JSON", json.as_bytes()), chunk(b"BIN\0", &buffer())].concat();
    let glb = [b"glTF\x02\0\0\0\0\0\0\0", &chunks[..]].concat();
    assert_eq!(read(&glb).vertices.len(), 3);
    for cut in [5, 15, 40, glb.len() - 3] {
        let fault = Mesh::read(&glb[..cut], &Limits::default()).unwrap_err().remove(0);
        assert_eq!(fault.code, "mesh-gltf", "{cut}");
    }
}

#[test]
fn damaged_gltf_is_refused() {
    let limits = Limits::default();
    let one = r#"[{"mesh": 0}]"#;
    for (source, text) in [
        ("{".into(), "JSON"),
        (r#"{"asset": {"version": "1.0"}}"#.into(), "version 1.0"),
        (json(r#", "uri": "mesh.bin""#, one, ""), "in another file, mesh.bin"),
        (json(r#", "uri": "data:;base64,!""#, one, ""), "not base64"),
        (json("", one, ""), "buffer 0 has no contents"),
        (json(&embedded(), r#"[{"mesh": 7}]"#, ""), "no mesh 7"),
        (json(&embedded(), r#"[{"children": [0]}]"#, ""), "nesting"),
        (json(&embedded(), r#"[{"children": [9]}]"#, ""), "no node 9"),
        (json(&embedded(), one, r#", "byteOffset": 2"#), "element 2 past the end"),
        (json(&embedded(), one, r#", "byteOffset": 18446744073709551615"#), "past the end"),
        (json(&embedded(), one, r#", "sparse": {}"#), "sparse"),
        (json(&embedded(), one, "").replace("VEC3", "MAT4"), "type MAT4"),
        (json(&embedded(), one, "").replace("5123", "5124"), "kind 5124"),
        (json(&embedded(), one, "").replace("POSITION", "NORMAL"), "no positions"),
        (
            json(&embedded(), one, "")
                .replace("\"count\": 3, \"type\": \"VEC3\"", "\"count\": 2, \"type\": \"VEC3\""),
            "index 2 of 2",
        ),
        (json(&embedded(), one, "").replace("\"count\": 3", "\"count\": 99999999999"), "memory"),
    ] {
        let found = refused(source.as_bytes(), &limits);
        assert!(found.contains(text), "{text}: {found}");
    }
}
