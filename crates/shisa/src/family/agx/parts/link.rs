//! Joining shader parts.

use super::PartFile;
use super::fields::{Fields, fault};
use super::part::hex;
use crate::{Result, Settings};
use serde_json::{Value, json};
use shisa_agx::link::{Linked, LinkedMeta, Parts};
use shisa_diag::{Diagnostic, Limit};

/// A program made of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedFile {
    /// The program.
    pub linked: Linked,
    /// The file that it was read from, with the fields that [`Linked`] does not represent.
    file: Option<Value>,
}

/// Joins parts to a program. `samples` is the number of samples of a pixel that are shaded one by one, 0 for all at
/// once. Returns the program and warnings.
///
/// # Errors
/// Every fault that keeps the parts from being joined.
pub fn link(
    prolog: Option<&PartFile>,
    main: &PartFile,
    epilog: Option<&PartFile>,
    samples: u32,
    settings: &Settings,
) -> Result<(LinkedFile, Vec<Diagnostic>)> {
    let [prolog, epilog] = [prolog, epilog].map(|p| p.map(|p| &p.part));
    let parts = Parts { prolog, main: &main.part, epilog, samples };
    let (linked, warnings) = shisa_agx::link::link(&parts, &settings.limits)?;
    Ok((LinkedFile { linked, file: None }, warnings))
}

impl LinkedFile {
    /// Reads what [`LinkedFile::to_json`] writes; the bindings of coefficients are not in it.
    ///
    /// # Errors
    /// `agx-part` for a file that is not of this form, and `limit-exceeded`.
    pub fn read(bytes: &[u8], settings: &Settings) -> Result<LinkedFile> {
        settings.limits.check(Limit::File, "bytes", bytes.len())?;
        LinkedFile::of(&serde_json::from_slice(bytes).map_err(|e| fault(format!("this is not JSON: {e}")))?)
    }

    /// Whether JSON has the form of such a file.
    pub(in super::super) fn is(file: &Value) -> bool {
        file.get("meta").and_then(|meta| meta.get("kind")).is_some_and(|kind| kind == "linked")
    }

    /// Reads JSON.
    pub(in super::super) fn of(file: &Value) -> Result<LinkedFile> {
        let mut faults = Vec::new();
        let linked = Fields::new("program", file, &mut faults).map(|mut f| {
            f.require(&["code", "meta"]);
            f.version();
            let code = f.bytes("code");
            f.inside("meta", meta).map(|meta| Linked { code, meta })
        });
        match linked.flatten() {
            Some(linked) if faults.is_empty() => Ok(LinkedFile { linked, file: Some(file.clone()) }),
            _ => Err(faults.into()),
        }
    }

    /// The program with other code.
    pub fn with_code(&self, code: &[u8]) -> LinkedFile {
        let mut new = self.clone();
        new.linked.code = code.to_vec();
        new.linked.meta.size = code.len() as u32;
        new
    }

    /// The file as `{code, meta}`, which is the form of compilers and has no version; truth values are 0 and 1 as in
    /// parts.
    pub fn to_json(&self) -> Value {
        let meta = &self.linked.meta;
        if let Some(mut file) = self.file.clone() {
            file["code"] = hex(&self.linked.code).into();
            file["meta"]["size"] = meta.size.into();
            return file;
        }
        json!({
            "code": hex(&self.linked.code),
            "meta": {
                "id": meta.id,
                "kind": "linked",
                "fragment": u8::from(meta.fragment),
                "prolog": meta.prolog,
                "main": meta.main,
                "epilog": meta.epilog,
                "nr_samples_shaded": meta.nr_samples_shaded,
                "size": meta.size,
                "nr_gprs": meta.nr_gprs,
                "scratch_size": meta.scratch_size,
                "reads_tib": u8::from(meta.reads_tib),
                "writes_sample_mask": u8::from(meta.writes_sample_mask),
                "disable_tri_merging": u8::from(meta.disable_tri_merging),
                "tag_write_disable": u8::from(meta.tag_write_disable),
                "uses_base_param": u8::from(meta.uses_base_param),
                "uses_txf": u8::from(meta.uses_txf),
                "nr_cf": meta.nr_cf,
                "nr_cf_bindings": meta.bindings.len(),
            },
        })
    }
}

fn meta(f: &mut Fields<'_>) -> LinkedMeta {
    f.require(&["fragment", "size", "nr_gprs"]);
    let id = |name: &str, f: &mut Fields<'_>| Some(f.text(name)).filter(|id| !id.is_empty());
    LinkedMeta {
        id: f.text("id"),
        fragment: f.flag("fragment"),
        prolog: id("prolog", f),
        main: f.text("main"),
        epilog: id("epilog", f),
        nr_samples_shaded: f.number("nr_samples_shaded"),
        size: f.number("size"),
        nr_gprs: f.number("nr_gprs"),
        scratch_size: f.number("scratch_size"),
        reads_tib: f.flag("reads_tib"),
        writes_sample_mask: f.flag("writes_sample_mask"),
        disable_tri_merging: f.flag("disable_tri_merging"),
        tag_write_disable: f.flag("tag_write_disable"),
        uses_base_param: f.flag("uses_base_param"),
        uses_txf: f.flag("uses_txf"),
        nr_cf: f.number("nr_cf"),
        bindings: Vec::new(),
    }
}
