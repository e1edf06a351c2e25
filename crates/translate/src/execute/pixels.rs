//! Fragment programs in a real fragment stage.

use super::{Device, Lane, Register, Resources, bind::Bound, kernel::lane_words, targets::Targets};
use crate::{Code, Output, Reflection};
use shisa_ir::Scalar;
use std::fmt::Write as _;

impl Device {
    /// Runs the stage form of a fragment program over a grid of pixels, given the input registers of each, row by
    /// row. Quads are the 2 by 2 blocks of the grid; if width or height is odd, the quads at that edge are
    /// incomplete.
    ///
    /// WGSL is called with exactly the given inputs. A SPIR-V module gets interpolated inputs: they must change
    /// linearly over the grid, and are as exact as the device interpolates.
    ///
    /// # Errors
    /// What the device reports about the code.
    pub fn pixels(
        &self,
        output: &Output,
        resources: Resources,
        width: u32,
        inputs: &[Vec<Register>],
    ) -> Result<Vec<Lane>, String> {
        let reflection = &output.reflection;
        let width = width.max(1);
        let height = (inputs.len() as u32).div_ceil(width).max(1);
        // The buffer's group: one that no stage's resources use.
        let group = 3;
        let fragment_entry = match &output.code {
            Code::Text(_) => harness(reflection, width, group),
            Code::Words(_) => String::new(),
        };
        self.checked(|| {
            let words = match &output.code {
                Code::Text(_) => lane_words(inputs, reflection.inputs.len()),
                Code::Words(_) => corners(inputs, reflection.inputs.len(), width, height),
            };
            let buffer = self.buffer(&words, wgpu::BufferUsages::STORAGE);
            let stages = wgpu::ShaderStages::VERTEX_FRAGMENT;
            let bound = Bound::new(self, &[(reflection, resources)], &[(group, 0, &buffer, true)], stages);
            let fragment = self.module(&bound, &output.code, &fragment_entry, &reflection.entry);
            let text = vertex_stage(reflection, fragment_entry.is_empty(), group);
            let vertex = self.module(&bound, &Code::Text(text), "", "cover");
            // Twice as wide and high as the grid, so that one triangle covers it without being clipped. Clipping
            // would split the triangle, and some devices load nothing from buffers in helper lanes.
            let [far_x, far_y] = [width, height].map(|n| 2 * n.next_multiple_of(2));
            let targets = Targets::new(self, reflection, [far_x, far_y], 1, None);
            let entry = if fragment_entry.is_empty() { reflection.entry.as_str() } else { "pixel" };
            let pipeline = targets.pipeline(self, &bound, (&vertex, "cover", &[]), (&fragment, entry));
            let mut encoder = self.device.create_command_encoder(&Default::default());
            targets.draw(&mut encoder, &pipeline, &bound, None, [far_x / 2, far_y / 2]);
            let planes = targets.read(self, encoder)?;
            let [planes] = &planes[..] else { return Err("a pixel has one sample".into()) };
            let at = |lane: usize| (lane % width as usize, lane / width as usize);
            Ok((0..inputs.len()).map(|lane| targets.lane(reflection, planes, at(lane))).collect())
        })
    }
}

/// A fragment entry point that calls the program with the inputs of its pixel.
fn harness(reflection: &Reflection, width: u32, group: u32) -> String {
    let count = reflection.inputs.len();
    let mut arguments = String::new();
    for (i, input) in reflection.inputs.iter().enumerate() {
        let part = ["x", "xy", "xyz", "xyzw"][usize::from(input.components.clamp(1, 4) - 1)];
        let ty = match (input.scalar, input.components) {
            (Scalar::F32, 0 | 1) => "f32".into(),
            (Scalar::F32, n) => format!("vec{n}<f32>"),
            (_, 0 | 1) => "u32".into(),
            (_, n) => format!("vec{n}<u32>"),
        };
        let _ = write!(arguments, "bitcast<{ty}>(pixel_inputs[first + {i}u].{part}), ");
    }
    let (returns, call) = match reflection.outputs.is_empty() {
        true => (String::new(), ""),
        false => (format!(" -> {}_out", reflection.function), "return "),
    };
    format!(
        "@group({group}) @binding(0) var<storage> pixel_inputs: array<vec4<u32>>;\n\
         @fragment fn pixel(@builtin(position) center: vec4<f32>){returns} {{\n\
         let at = vec2<u32>(center.xy);\n\
         let first = 1u + (at.y * {width}u + at.x) * {count}u;\n\
         {call}{}({arguments});\n}}\n",
        reflection.function
    )
}

/// A triangle over all pixels. With `feeds` it passes on the inputs of its corners from the buffer.
fn vertex_stage(reflection: &Reflection, feeds: bool, group: u32) -> String {
    let inputs = reflection.inputs.iter().filter(|_| feeds);
    let (mut members, mut sets) = (String::new(), String::new());
    for (i, input) in inputs.enumerate() {
        let location = input.location.unwrap_or(0);
        let part = ["x", "xy", "xyz", "xyzw"][usize::from(input.components.clamp(1, 4) - 1)];
        let ty = if input.components > 1 { format!("vec{}<f32>", input.components) } else { "f32".into() };
        let _ = writeln!(members, "@location({location}) i{i}: {ty},");
        let count = reflection.inputs.len();
        let _ = writeln!(sets, "o.i{i} = bitcast<vec4<f32>>(corners[n * {count}u + {i}u]).{part};");
    }
    let buffer = format!("@group({group}) @binding(0) var<storage> corners: array<vec4<u32>>;\n");
    format!(
        "struct Out {{ @builtin(position) center: vec4<f32>,\n{members} }}\n{}\
         @vertex fn cover(@builtin(vertex_index) n: u32) -> Out {{\n\
         var o: Out;\n\
         o.center = vec4<f32>(select(-1.0, 1.0, n == 1u), select(1.0, -1.0, n == 2u), 0.5, 1.0);\n\
         {sets}return o;\n}}\n",
        if feeds { &buffer } else { "" }
    )
}

/// The inputs at the triangle's corners: the grid's first corner, twice its (even) width right, twice its height
/// down. They are extrapolated linearly from the given pixels.
fn corners(inputs: &[Vec<Register>], count: usize, width: u32, height: u32) -> Vec<u32> {
    let [far_x, far_y] = [width, height].map(|n| 2.0 * f64::from(n.next_multiple_of(2)));
    let at = |lane: usize, i: usize, c: usize| {
        let word = inputs.get(lane).and_then(|l| l.get(i)).map_or(0, |r: &Register| r[c]);
        f64::from(f32::from_bits(word))
    };
    let mut words = Vec::new();
    for (x, y) in [(0.0, 0.0), (far_x, 0.0), (0.0, far_y)] {
        for i in 0..count {
            for c in 0..4 {
                let base = at(0, i, c);
                let right = if width > 1 { at(1, i, c) - base } else { 0.0 };
                let down = if height > 1 { at(width as usize, i, c) - base } else { 0.0 };
                let value = base + (x - 0.5) * right + (y - 0.5) * down;
                words.push((value as f32).to_bits());
            }
        }
    }
    words
}
