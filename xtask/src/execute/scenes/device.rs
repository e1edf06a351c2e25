//! Scenes on a device.

use super::{Corner, FRAGMENT, SIZE, Scene, VERTEX};
use crate::opened::first;
use shisa::Settings;
use shisa_translate::execute::scene::{Sample, Scene as Drawing};
use shisa_translate::execute::{Device, Register};
use shisa_translate::{Options, Output, Target};

/// The programs for a device.
pub(in crate::execute) struct Programs([Output; 2]);

impl Programs {
    pub(in crate::execute) fn new(target: Target) -> Result<Programs, String> {
        let open =
            |source: &'static str| first(source.as_bytes(), &Settings::new()).map_err(|e| e.to_string());
        let options = Options { exact: true, ..Options::default() };
        let pair = shisa::agal::translate_pair(&open(VERTEX)?, &open(FRAGMENT)?, target, &options);
        pair.map(Programs).map_err(|e| e.to_string())
    }

    /// The samples of a scene; those of a pixel are adjacent.
    pub(super) fn draw(&self, device: &Device, scene: &Scene) -> Result<Vec<Sample>, String> {
        let [vertex, fragment] = &self.0;
        let register = |name: &str, corner: &Corner| -> Register {
            let [x, y, z, w] = corner.position;
            let value = match name {
                "va0" => [x, y, z, 1.0],
                "va1" => [0.0, w, 0.0, 1.0],
                _ => corner.color,
            };
            value.map(f32::to_bits)
        };
        let inputs = |corner: &Corner| -> Vec<Register> {
            vertex.reflection.inputs.iter().map(|input| register(&input.name, corner)).collect()
        };
        let corners: Vec<Vec<Register>> = scene.triangles.iter().flatten().map(inputs).collect();
        device.scene(&Drawing {
            vertex,
            fragment,
            corners: &corners,
            size: SIZE.map(|n| n as u32),
            samples: scene.samples as u32,
            state: scene.state.device(),
        })
    }
}
