//! Whether the metadata of a part is consistent.

use crate::part::{Coefficient, Part, Role};
use alloc::format;
use shisa_diag::{Diagnostic, Sink};

/// Functions begin at multiples of this many bytes.
const ALIGNMENT: u32 = 128;

/// Reports contradictions.
pub(super) fn check(part: &Part, role: Role, sink: &mut Sink) {
    let meta = &part.meta;
    let mut wrong = |text: alloc::string::String| sink.push(Diagnostic::error("agx-part-meta", text));
    if meta.binary_size as usize != part.code.len() {
        wrong(format!("binary_size is {} bytes, but there are {}", meta.binary_size, part.code.len()));
    }
    for (name, at) in [("main_offset", Some(meta.main_offset)), ("preamble_offset", meta.preamble_offset)] {
        if let Some(at) = at.filter(|at| at % ALIGNMENT != 0) {
            wrong(format!("{name}, {at}, is not a multiple of {ALIGNMENT}"));
        }
    }
    for (name, n, most) in [
        ("nr_gprs", meta.nr_gprs, 256),
        ("nr_preamble_gprs", meta.nr_preamble_gprs, 256),
        ("push_count", meta.push_count, 512),
    ] {
        if n > most {
            wrong(format!("{name} is {n} halves, but there are {most}"));
        }
    }
    if role != Role::Main {
        if meta.push_count != 0 || meta.rodata.size_16 != 0 {
            wrong(format!("a {role} has no uniforms of its own"));
        }
        if meta.preamble_offset.is_some() {
            wrong(format!("a {role} has no preamble"));
        }
    }
    let constants = meta.rodata;
    if constants.size_16 > 0 {
        let end = u64::from(constants.offset) + 2 * u64::from(constants.size_16);
        if end > part.code.len() as u64 {
            wrong(format!("constants reach up to {end}, past the part's {} bytes", part.code.len()));
        }
        let (first, count) = (u64::from(constants.base_uniform), u64::from(constants.size_16));
        if first < u64::from(meta.key.reserved_preamble) || first + count > u64::from(meta.push_count) {
            wrong(format!(
                "constants are pushed to uniforms {first} to {}, which are not the part's own",
                first + count - 1
            ));
        }
    }
    let Some(cf) = &meta.cf else { return };
    let end = |b: &Coefficient| u64::from(b.cf_base) + u64::from(b.count);
    for (i, binding) in cf.bindings.iter().enumerate() {
        if end(binding) > u64::from(cf.nr_cf) || binding.count > 4 {
            wrong(format!(
                "varying {} is bound past the {} coefficients of the part",
                binding.slot, cf.nr_cf
            ));
        }
        if cf.bindings[..i].iter().any(|b| overlap(b, binding)) {
            wrong(format!("varying {} is bound to coefficients of another", binding.slot));
        }
    }
}

/// Whether two varyings are bound to the same coefficients.
pub(super) fn overlap(a: &Coefficient, b: &Coefficient) -> bool {
    let end = |c: &Coefficient| u64::from(c.cf_base) + u64::from(c.count);
    u64::from(a.cf_base) < end(b) && u64::from(b.cf_base) < end(a)
}
