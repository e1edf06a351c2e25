//! A shader part as JSON.

use super::fields::{Fields, fault};
use crate::{Error, Result, Settings};
use serde_json::Value;
use shisa_agx::part::{Coefficient, Coefficients, Key, Meta, Part, Rodata, Stats};
use shisa_diag::{Diagnostic, Limit, other_unicode, without_mark};
use shisa_ir::Stage;

/// A shader part, and the file that it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct PartFile {
    /// The part.
    pub part: Part,
    /// The file with all its fields, including those that [`Part`] does not represent.
    file: Value,
}

impl PartFile {
    /// Reads a file `{code, meta}`.
    ///
    /// # Errors
    /// `agx-part` for a file that is not of this form, and `limit-file`.
    pub fn read(bytes: &[u8], settings: &Settings) -> Result<PartFile> {
        settings.limits.check(Limit::File, "bytes", bytes.len())?;
        if let Some(encoding) = other_unicode(bytes) {
            return Err(fault(format!("this is text in {encoding}, not JSON in UTF-8")).into());
        }
        let json = serde_json::from_slice(without_mark(bytes));
        PartFile::of(json.map_err(|e| fault(format!("this is not JSON: {e}")))?).map_err(|(_, error)| error)
    }

    /// Whether JSON has the form of such a file: an object with the fields `code` and `meta`.
    pub(in super::super) fn is(file: &Value) -> bool {
        file.get("code").is_some_and(Value::is_string) && file.get("meta").is_some_and(Value::is_object)
    }

    /// Reads JSON; returns it with the faults if there are any.
    pub(in super::super) fn of(file: Value) -> std::result::Result<PartFile, (Value, Error)> {
        let mut faults = Vec::new();
        let part = Fields::new("part", &file, &mut faults).map(|mut f| part(&mut f)).unwrap_or_default();
        match faults.is_empty() {
            true => Ok(PartFile { part, file }),
            false => Err((file, faults.into())),
        }
    }

    /// The part with other main code.
    ///
    /// # Errors
    /// `agx-part-range` if the part does not contain its main code; `agx-room` if the new code has another length, and
    /// a preamble or constants follow it.
    pub fn with_main(&self, code: &[u8]) -> Result<PartFile> {
        let (old, mut new) = (self.part.main()?, self.clone());
        if old.len() != code.len() && old.end != self.part.code.len() {
            return Err(no_room(old.len(), code.len()).into());
        }
        new.part.code.splice(old, code.iter().copied());
        let size = code.len() as u32;
        let whole = new.part.code.len() as u32;
        let stated = self.part.meta.binary_size as usize == self.part.code.len();
        new.part.meta.main_size = size;
        new.file["meta"]["main_size"] = size.into();
        if stated {
            new.part.meta.binary_size = whole;
            new.file["meta"]["binary_size"] = whole.into();
        }
        Ok(new)
    }

    /// The file as JSON, with the part's current code.
    pub fn to_json(&self) -> Value {
        let mut file = self.file.clone();
        file["code"] = hex(&self.part.code).into();
        file
    }
}

/// The error for code that does not fit.
pub(in super::super) fn no_room(old: usize, new: usize) -> Diagnostic {
    let text =
        format!("the new code has {new} bytes, the old code {old}, and other parts of the file follow it");
    Diagnostic::error("agx-room", text)
        .help("make the code shorter; a whole number of 16-bit units is needed")
}

/// Bytes in hexadecimal.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digit = |d: u8| char::from(b"0123456789abcdef"[usize::from(d)]);
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect()
}

fn part(f: &mut Fields<'_>) -> Part {
    f.require(&["code", "meta"]);
    f.version();
    let code = f.bytes("code");
    Part { code, meta: f.inside("meta", meta).unwrap_or_default() }
}

fn meta(f: &mut Fields<'_>) -> Meta {
    f.require(&["stage", "main_offset", "main_size", "nr_gprs", "key"]);
    let stages =
        &[("VS", Stage::Vertex), ("GS", Stage::Geometry), ("FS", Stage::Fragment), ("CS", Stage::Compute)];
    let has_preamble = f.flag("has_preamble");
    Meta {
        id: f.text("id"),
        stage: f.choice("stage", stages).unwrap_or(Stage::Compute),
        name: f.text("name"),
        label: f.text("label"),
        internal: f.flag("internal"),
        src_sha1: f.text("src_sha1"),
        binary_size: f.number("binary_size"),
        preamble_offset: Some(f.number("preamble_offset")).filter(|_| has_preamble),
        main_offset: f.number("main_offset"),
        main_size: f.number("main_size"),
        nr_gprs: f.number("nr_gprs"),
        nr_preamble_gprs: f.number("nr_preamble_gprs"),
        push_count: f.number("push_count"),
        scratch_size: f.number("scratch_size"),
        preamble_scratch_size: f.number("preamble_scratch_size"),
        local_size: f.number("local_size"),
        imageblock_stride: f.number("imageblock_stride"),
        rodata: f.inside("rodata", rodata).unwrap_or_default(),
        reads_tib: f.flag("reads_tib"),
        early_fragment_tests: f.flag("early_fragment_tests"),
        writes_sample_mask: f.flag("writes_sample_mask"),
        tag_write_disable: f.flag("tag_write_disable"),
        disable_tri_merging: f.flag("disable_tri_merging"),
        uses_draw_id: f.flag("uses_draw_id"),
        uses_base_param: f.flag("uses_base_param"),
        uses_txf: f.flag("uses_txf"),
        texture_state_count: f.number("texture_state_count"),
        workgroup_size: f.three("workgroup_size"),
        key: f.inside("key", key).unwrap_or_default(),
        stats: f.inside("stats", stats),
        cf: f.inside("cf", coefficients),
    }
}

fn rodata(f: &mut Fields<'_>) -> Rodata {
    Rodata {
        offset: f.number("offset"),
        base_uniform: f.number("base_uniform"),
        size_16: f.number("size_16"),
    }
}

fn key(f: &mut Fields<'_>) -> Key {
    Key {
        no_stop: f.flag("no_stop"),
        secondary: f.flag("secondary"),
        reserved_preamble: f.number("reserved_preamble"),
        has_scratch: f.flag("has_scratch"),
        is_helper: f.flag("is_helper"),
        promote_constants: f.flag("promote_constants"),
        promote_textures: f.flag("promote_textures"),
        g13x_coherency: f.number("g13x_coherency"),
        soft_fault: f.flag("soft_fault"),
        inside_sample_loop: f.flag("inside_sample_loop"),
        ignore_tib_dependencies: f.flag("ignore_tib_dependencies"),
        cf_base: f.number("cf_base"),
    }
}

fn stats(f: &mut Fields<'_>) -> Stats {
    Stats {
        instrs: f.number("instrs"),
        alu: f.number("alu"),
        fscib: f.number("fscib"),
        ic: f.number("ic"),
        code_size: f.number("code_size"),
        gprs: f.number("gprs"),
        uniforms: f.number("uniforms"),
        scratch: f.number("scratch"),
        threads: f.number("threads"),
        loops: f.number("loops"),
        spills: f.number("spills"),
        fills: f.number("fills"),
        preamble_inst: f.number("preamble_inst"),
    }
}

fn coefficients(f: &mut Fields<'_>) -> Coefficients {
    Coefficients {
        nr_cf: f.number("nr_cf"),
        reads_z: f.flag("reads_z"),
        bindings: f.list("bindings", |f| Coefficient {
            cf_base: f.number("cf_base"),
            slot: f.number("slot"),
            offset: f.number("offset"),
            count: f.number("count"),
            smooth: f.flag("smooth"),
            perspective: f.flag("perspective"),
        }),
    }
}
