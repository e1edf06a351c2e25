//! Rules for a single header.

use super::{Field, Maps, Sph};
use crate::ShaderStage;
use alloc::{format, string::String, vec::Vec};
use core::ops::Range;
use shisa_diag::{Code, Diagnostic, Severity};

impl Sph {
    /// The faults of the header; `at` is its offset in the file.
    pub fn check(&self, at: usize) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut report = |severity: Severity, code: Code, field: &str, message: String| {
            let place = self.place(at, field);
            found.push(Diagnostic::new(severity, code, message).at_bytes(place, String::from(field)));
        };
        let get = |name: &str| self.get(name).unwrap_or(0);
        let stage = self.stage();
        match (self.maps(), stage) {
            (Maps::Unknown, _) => {
                let text = format!("the header has the unknown type {}", get("SphType"));
                report(Severity::Error, "sph-type", "SphType", text);
            }
            (_, None) => {
                let text = format!("no stage has the number {}", get("ShaderType"));
                report(Severity::Error, "sph-type", "ShaderType", text);
            }
            (maps, Some(stage)) if (maps == Maps::Pixel) != (stage == ShaderStage::Fragment) => {
                let text = format!("a {} program does not have the maps of this type", stage.name());
                report(Severity::Error, "sph-type", "SphType", text);
            }
            _ => {}
        }
        if get("Version") != 3 {
            let text = format!("the header has version {}, and 3 is known", get("Version"));
            report(Severity::Error, "sph-version", "Version", text);
        }
        for field in self.fields().filter(|f| (0..f.count).any(|n| f.get(self, n) != 0)) {
            let other = stage.filter(|s| !field.stages.is_empty() && !field.stages.contains(s));
            if field.reserved() {
                let text = format!("{} is not zero", field.name);
                report(Severity::Warning, "sph-reserved", field.name, text);
            } else if let Some(stage) = other {
                let text =
                    format!("{} is set, which has no meaning in a {} program", field.name, stage.name());
                report(Severity::Warning, "sph-stage", field.name, text);
            }
        }
        if stage == Some(ShaderStage::Geometry) {
            let topology = get("OutputTopology");
            if !matches!(topology, 1 | 6 | 7) {
                let text = format!("no topology has the number {topology}");
                report(Severity::Error, "sph-topology", "OutputTopology", text);
            }
            let vertices = get("MaxOutputVertexCount");
            if !(1..=MAX_VERTICES).contains(&vertices) {
                let text =
                    format!("the program may emit {vertices} vertices; 1 to {MAX_VERTICES} are possible");
                report(Severity::Error, "sph-vertices", "MaxOutputVertexCount", text);
            }
        }
        let count = get("PerPatchAttributeCount");
        let again = get("PerPatchAttributeCountHigh") << 4 | get("PerPatchAttributeCountLow");
        if stage == Some(ShaderStage::TessellationControl) && again != 0 && again != count {
            let text = format!("a patch has {count} attributes, but {again} in the other field");
            report(Severity::Warning, "sph-patch-count", "PerPatchAttributeCount", text);
        }
        for name in ["ShaderLocalMemoryLowSize", "ShaderLocalMemoryHighSize"] {
            if !get(name).is_multiple_of(16) {
                let text = format!("{name} is {:#x}, which is not a multiple of 16", get(name));
                report(Severity::Error, "sph-local-memory", name, text);
            }
        }
        let targets = (1..8).any(|n| self.element("OmapTarget", n).is_some_and(|c| c != 0));
        if targets && get("MrtEnable") == 0 {
            let text = "targets besides the first have components, but all take the colour of the first";
            report(Severity::Warning, "sph-targets", "MrtEnable", text.into());
        }
        let (start, end) = (get("StoreReqStart"), get("StoreReqEnd"));
        if start > end && (start, end) != (0xff, 0) {
            let text = format!("attributes are read back from {start:#x} to {end:#x}");
            report(Severity::Error, "sph-store-range", "StoreReqStart", text);
        }
        found
    }

    /// The bytes of a field in the file.
    pub(crate) fn place(&self, at: usize, name: &str) -> Range<usize> {
        let bytes = |f: &Field| {
            let end = f.bit + f.width * f.count;
            at + usize::from(f.bit / 8)..at + usize::from(end.div_ceil(8))
        };
        self.fields().find(|f| f.name == name).map_or(at..at, bytes)
    }
}

/// The most vertices that a thread of a geometry program can emit.
const MAX_VERTICES: u32 = 1024;
