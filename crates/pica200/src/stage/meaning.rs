//! What outputs mean.

use super::{OUT, Staged, build};
use crate::OUTPUTS;
use crate::container::{DUMMY, Dvle};
use crate::outputs::{OutputMap, Semantic};
use crate::uses::Uses;
use alloc::{format, string::String, vec, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Binding, Builder, End, FileId, FloatRule, Func, Io, Mask, NanRule, Nodes, Reg, Scalar, Swizzle, Value,
};

/// Which outputs a translation has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outputs {
    /// Those of the container's output table, with its semantics: z, which on the hardware ranges from -w (far) to 0,
    /// with the opposite sign; colours as magnitudes of at most 1; components that the table does not name as 1. If
    /// there is no table, the registers.
    #[default]
    Meaning,
    /// The output registers in use, at locations from 0 in the order of their numbers: what a geometry
    /// program takes from the vertex program before it.
    Registers,
}

/// An output of the interface.
pub(super) struct Output {
    pub(super) io: Io,
    /// The unit of an output register that each component comes from.
    parts: [Option<u16>; 4],
    semantic: Option<Semantic>,
}

/// The outputs of a program with these operations.
pub(super) fn outputs(staged: &Staged<'_>, nodes: &Nodes) -> Vec<Output> {
    match staged.dvle {
        Some(dvle) if staged.outputs == Outputs::Meaning && !dvle.outputs.is_empty() => meant(dvle),
        _ => registers(staged, &Uses::of(nodes)),
    }
}

fn meant(dvle: &Dvle) -> Vec<Output> {
    let sources = OutputMap::of(dvle).sources();
    let parts = |semantic: Semantic| {
        let mut parts = [None; 4];
        for (part, &number) in parts.iter_mut().zip(semantic.numbers()) {
            *part = sources[usize::from(number)];
        }
        (semantic, parts)
    };
    let named = Semantic::ALL.into_iter().map(parts).filter(|(_, p)| p.iter().any(Option::is_some));
    let output = |(n, (semantic, parts)): (u16, (Semantic, [Option<u16>; 4]))| Output {
        io: Io {
            name: semantic.name().into(),
            reg: Reg::new(OUT, 4 * n),
            scalar: Scalar::F32,
            count: semantic.numbers().len() as u8,
            used: Mask((0..4).filter(|&c| parts[c].is_some()).fold(0, |m, c| m | 1 << c)),
            binding: binding(semantic),
        },
        parts,
        semantic: Some(semantic),
    };
    (0..).zip(named).map(output).collect()
}

/// Where a semantic is bound, the same in all programs.
const fn binding(semantic: Semantic) -> Binding {
    match semantic {
        Semantic::Position => Binding::Position,
        other => Binding::Location(other as u32 - 1),
    }
}

/// The findings about outputs that a translation does not have.
pub(super) fn lost(staged: &Staged<'_>) -> Vec<Diagnostic> {
    let Some(dvle) = staged.dvle else { return Vec::new() };
    if dvle.enabled_outputs() == 0 {
        let text = "the program has no outputs: its output mask is 0 and its output table is empty";
        return vec![Diagnostic::warning("pica-no-outputs", text).help("declare the outputs")];
    }
    if staged.outputs == Outputs::Registers {
        return Vec::new();
    }
    let dummies = dvle.outputs.iter().filter(|o| o.kind == DUMMY && o.register < 16);
    let units = dummies.fold(0u64, |all, o| all | u64::from(o.mask & 15) << (4 * o.register));
    let names: Vec<String> = (0..16).filter_map(|n| named(n, (units >> (4 * n)) as u8 & 15)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let text = format!("the translation leaves out outputs of type dummy: {}", names.join(", "));
    let help = "the outputs \"registers\" (--outputs registers) include them";
    vec![Diagnostic::warning("pica-output-dummy", text).help(help)]
}

/// An output register with the components of a mask; `None` without components.
fn named(register: u8, mask: u8) -> Option<String> {
    let components: String =
        "xyzw".chars().enumerate().filter(|(i, _)| mask >> i & 1 != 0).map(|c| c.1).collect();
    match mask {
        0 => None,
        15 => Some(format!("o{register}")),
        _ => Some(format!("o{register}.{components}")),
    }
}

/// The registers that the mask or the table calls used, or that the program writes where there is no table.
fn registers(staged: &Staged<'_>, uses: &Uses) -> Vec<Output> {
    let stated = staged.dvle.map(Dvle::enabled_outputs);
    let in_use = |n: &u16| match stated {
        Some(mask) => mask >> n & 1 != 0,
        None => uses.outputs[usize::from(*n)] != 0,
    };
    let output = |(location, n): (u32, u16)| Output {
        io: Io {
            name: format!("o{n}").into(),
            reg: Reg::new(OUT, 4 * location as u16),
            scalar: Scalar::F32,
            count: 4,
            used: Mask(uses.outputs[usize::from(n)]),
            binding: Binding::Location(location),
        },
        parts: core::array::from_fn(|c| Some(4 * n + c as u16)),
        semantic: None,
    };
    (0..).zip((0..16).filter(in_use)).map(output).collect()
}

impl Output {
    /// The output registers that it needs.
    pub(super) fn registers(&self) -> impl Iterator<Item = u16> {
        self.parts.iter().flatten().map(|unit| unit / 4)
    }

    /// Makes its value of the output registers' image, which begins at a unit of a file.
    pub(super) fn value(&self, b: &mut Builder<'_>, file: FileId, first: u16) -> Value {
        let count = self.io.count;
        let parts = &self.parts[..usize::from(count)];
        let register = parts[0].map(|unit| unit / 4);
        let together = register.filter(|r| parts.iter().all(|p| p.is_some_and(|unit| unit / 4 == *r)));
        let value = match together {
            Some(register) => {
                let picks: [u8; 4] = core::array::from_fn(|i| {
                    parts.get(i).copied().flatten().map_or(0, |unit| unit % 4) as u8
                });
                let swizzle = Swizzle::from_slice(&picks[..parts.len()]);
                b.read(Reg::new(file, first + 4 * register), swizzle, Scalar::F32.by(count))
            }
            None => {
                let mut scalars = Vec::with_capacity(4);
                for part in parts {
                    scalars.push(match part {
                        Some(unit) => {
                            b.read(Reg::new(file, first + unit), Swizzle::IDENTITY, Scalar::F32.by(1))
                        }
                        None => b.f32(1.0, 1),
                    });
                }
                b.join(&scalars)
            }
        };
        match self.semantic {
            Some(Semantic::Position) => {
                let [x, y, z, w] = [0, 1, 2, 3].map(|i| b.component(value, i));
                let z = b.fneg(z);
                b.join(&[x, y, z, w])
            }
            Some(Semantic::Color) => {
                b.rule = FloatRule { nan: NanRule::Second, ..FloatRule::IEEE };
                // A colour that is NaN stays so.
                let (magnitude, one) = (b.fabs(value), b.f32(1.0, count));
                b.fmin(one, magnitude)
            }
            _ => value,
        }
    }
}

/// Writes the outputs where the program ends.
pub(super) fn write_at_end(func: &mut Func, outputs: &[Output]) {
    for block in func.blocks.iter_mut().filter(|b| b.end == End::Exit) {
        let origin = block.body.last().map_or(0, |v| func.nodes.list[v.index()].origin);
        build(&mut func.nodes, origin, &mut block.body, |b| {
            for output in outputs {
                let value = output.value(b, OUTPUTS, 0);
                b.write(output.io.reg, Mask::first(output.io.count), value);
            }
        });
    }
}
