//! Rules for a single header.

use super::{Field, LOCAL_SIZES, Maps, Sph, common, pixel};
use crate::ShaderStage;
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Code, Diagnostic, Severity};

impl Sph {
    /// The faults of the header; `at` is its offset in the file.
    pub fn check(&self, at: usize) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut report = |severity: Severity, code: Code, field: &Field, message: String| {
            let d = Diagnostic::new(severity, code, message);
            found.push(d.at_bytes(field.place(at), field.name));
        };
        let stage = self.stage();
        match (self.maps(), stage) {
            (Maps::Unknown, _) => {
                let text = format!("the header has the unknown type {}", self.value(SPH_TYPE));
                report(Severity::Error, "sph-type", SPH_TYPE, text);
            }
            (_, None) => {
                let text = format!("no stage has the number {}", self.value(SHADER_TYPE));
                report(Severity::Error, "sph-type", SHADER_TYPE, text);
            }
            (maps, Some(stage)) if (maps == Maps::Pixel) != (stage == ShaderStage::Fragment) => {
                let text = format!("a {} program does not have the maps of this type", stage.name());
                report(Severity::Error, "sph-type", SPH_TYPE, text);
            }
            _ => {}
        }
        if self.value(VERSION) != 3 {
            let text = format!("the header has version {}, and 3 is known", self.value(VERSION));
            report(Severity::Error, "sph-version", VERSION, text);
        }
        for field in self.fields().filter(|f| (0..f.count).any(|n| f.get(self, n) != 0)) {
            let other = stage.filter(|s| !field.stages.is_empty() && !field.stages.contains(s));
            if field.reserved() {
                let text = format!("{} is not zero", field.name);
                report(Severity::Warning, "sph-reserved", field, text);
            } else if let Some(stage) = other {
                let text =
                    format!("{} is set, which has no meaning in a {} program", field.name, stage.name());
                report(Severity::Warning, "sph-stage", field, text);
            }
        }
        if stage == Some(ShaderStage::Geometry) {
            let topology = self.value(OUTPUT_TOPOLOGY);
            if !matches!(topology, 1 | 6 | 7) {
                let text = format!("no topology has the number {topology}");
                report(Severity::Error, "sph-topology", OUTPUT_TOPOLOGY, text);
            }
            let vertices = self.value(MAX_OUTPUT_VERTEX_COUNT);
            if !(1..=MAX_VERTICES).contains(&vertices) {
                let text =
                    format!("the program may emit {vertices} vertices; 1 to {MAX_VERTICES} are possible");
                report(Severity::Error, "sph-vertices", MAX_OUTPUT_VERTEX_COUNT, text);
            }
        }
        let count = self.value(PER_PATCH_ATTRIBUTE_COUNT);
        let again =
            self.value(PER_PATCH_ATTRIBUTE_COUNT_HIGH) << 4 | self.value(PER_PATCH_ATTRIBUTE_COUNT_LOW);
        if stage == Some(ShaderStage::TessellationControl) && again != 0 && again != count {
            let text = format!("a patch has {count} attributes, but {again} in the other field");
            report(Severity::Warning, "sph-patch-count", PER_PATCH_ATTRIBUTE_COUNT, text);
        }
        for field in LOCAL_SIZES {
            let size = self.value(field);
            if !size.is_multiple_of(16) {
                let text = format!("{} is {size:#x}, which is not a multiple of 16", field.name);
                report(Severity::Error, "sph-local-memory", field, text);
            }
        }
        let targets = self.maps() == Maps::Pixel && (1..TARGET.count).any(|n| TARGET.get(self, n) != 0);
        if targets && self.value(MRT_ENABLE) == 0 {
            let text = "targets besides the first have components, but all take the colour of the first";
            report(Severity::Warning, "sph-targets", MRT_ENABLE, text.into());
        }
        let (start, end) = (self.value(STORE_REQ_START), self.value(STORE_REQ_END));
        if start > end && (start, end) != (0xff, 0) {
            let text = format!("attributes are read back from {start:#x} to {end:#x}");
            report(Severity::Error, "sph-store-range", STORE_REQ_START, text);
        }
        found
    }
}

const SPH_TYPE: &Field = common("SphType");
const SHADER_TYPE: &Field = common("ShaderType");
const VERSION: &Field = common("Version");
const OUTPUT_TOPOLOGY: &Field = common("OutputTopology");
const MAX_OUTPUT_VERTEX_COUNT: &Field = common("MaxOutputVertexCount");
const PER_PATCH_ATTRIBUTE_COUNT: &Field = common("PerPatchAttributeCount");
const PER_PATCH_ATTRIBUTE_COUNT_HIGH: &Field = common("PerPatchAttributeCountHigh");
const PER_PATCH_ATTRIBUTE_COUNT_LOW: &Field = common("PerPatchAttributeCountLow");
const MRT_ENABLE: &Field = common("MrtEnable");
const STORE_REQ_START: &Field = common("StoreReqStart");
const STORE_REQ_END: &Field = common("StoreReqEnd");
const TARGET: &Field = pixel("OmapTarget");

/// The most vertices that a thread of a geometry program can emit.
const MAX_VERTICES: u32 = 1024;
