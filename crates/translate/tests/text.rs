//! Text targets: goldens, rules, refusals.

mod common;

use common::*;
use shisa_translate::*;

const WGSL: &str = "\
struct agal_vertex_out {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
}

@group(0) @binding(0) 
var<uniform> vc: array<vec4<f32>, 16>;

fn agal_vertex(va0: vec4<f32>, va1: vec4<f32>) -> agal_vertex_out {
    // m44 op, va0, vc0
    let vc0 = vc[0];
    let vc1 = vc[1];
    let vc2 = vc[2];
    let vc3 = vc[3];
    let op = vec4<f32>(dot(va0, vc0), dot(va0, vc1), dot(va0, vc2), dot(va0, vc3));
    // mul vt0, va1, vc4
    let vc4 = vc[4];
    let vt0 = (va1 * vc4);
    // sat v0, vt0
    let v0 = saturate(vt0);
    return agal_vertex_out(op, v0);
}

@vertex 
fn agal_vertex_main(@location(0) va0_in: vec4<f32>, @location(1) va1_in: vec4<f32>) -> agal_vertex_out {
    let _e2 = agal_vertex(va0_in, va1_in);
    return _e2;
}
";

#[test]
fn a_vertex_program_reads_like_its_source() {
    let options = Options { comments: true, name: "agal_vertex".into(), ..Options::default() };
    let output = cases::transform().translate(Target::Wgsl, &options).unwrap();
    assert_eq!(output.code, Code::Text(WGSL.into()));
    let map: Vec<_> = output.source_map.iter().map(|m| (m.start, m.end, m.instruction)).collect();
    assert_eq!(map, [(11, 16, 0), (17, 19, 1), (20, 21, 2)]);
}
