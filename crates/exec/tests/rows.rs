//! Rows of uniforms that are read by a computed index, on every level: rows in the table, and those outside of it, which are
//! zero or what the program selects instead.

use crate::common::{self, levels_of_code};
use shisa_diag::Limits;
use shisa_exec::{Attribute, HostLevel, Outputs, Program, Slot};
use shisa_ir::{
    Binary, Builder, File, FileId, FileKind, FloatRule, Mask, Op, Reg, Scalar, Swizzle, Ternary, Type, Value,
};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 12, scalar: Scalar::I32 }
}

static FILES: &[File] =
    &[file("in", FileKind::Input), file("out", FileKind::Output), file("c", FileKind::Uniform)];
const UNITS: usize = 12;

/// A row that a program reads: its offset and stride, the limit of its index, and what is selected past another limit
/// instead of each component; the order of the components, and those that the program writes.
#[derive(Clone, Copy, Debug)]
struct Row {
    base: u16,
    stride: u8,
    limit: Option<u32>,
    outside: Option<(u32, [u32; 4])>,
    swizzle: Swizzle,
    mask: Mask,
}

const PLAIN: Row =
    Row { base: 0, stride: 4, limit: None, outside: None, swizzle: Swizzle::IDENTITY, mask: Mask::ALL };

impl Row {
    /// What the program writes for an index; zero for components that it does not write.
    fn value(self, index: u32) -> [u32; 4] {
        let limited = self.limit.map_or(index, |limit| index.min(limit));
        let first = u64::from(self.base) + u64::from(limited) * u64::from(self.stride);
        let element =
            |n: u64| usize::try_from(first + n).ok().filter(|_| first < UNITS as u64).and_then(uniform);
        let row = [0, 1, 2, 3].map(|n| element(self.swizzle.get(n).into()).unwrap_or(0));
        let value = match self.outside {
            Some((last, outside)) if index > last => outside,
            _ => row,
        };
        [0, 1, 2, 3].map(|n| if self.mask.has(n) { value[usize::from(n)] } else { 0 })
    }

    fn push(self, b: &mut Builder<'_>, index: Value) -> Value {
        let four = Type { scalar: Scalar::I32, count: 4 };
        let constant = |b: &mut Builder<'_>, n: u32| b.push(Op::Const(n.into()), Type::I32);
        let rule = FloatRule::IEEE;
        let limited = match self.limit {
            Some(limit) => {
                let limit = constant(b, limit);
                b.push(Op::Binary { op: Binary::UMin, rule, a: index, b: limit }, Type::I32)
            }
            None => index,
        };
        let Row { base, stride, swizzle, .. } = self;
        let read = Op::ReadAt { file: FileId(2), base, stride, index: limited, swizzle };
        let row = b.push(read, four);
        let Some((last, outside)) = self.outside else { return row };
        let last = constant(b, last);
        let inside =
            b.push(Op::Binary { op: Binary::ULe, rule, a: index, b: last }, Binary::ULe.result(Type::I32));
        let inside = b.join(&[inside; 4]);
        let parts = outside.map(|n| constant(b, n));
        let outside = b.join(&parts);
        b.push(Op::Ternary { op: Ternary::Select, rule, a: inside, b: row, c: outside }, four)
    }
}

fn uniform(n: usize) -> Option<u32> {
    (n < UNITS).then_some(0x100 + n as u32)
}

/// A program that stores rows, all at the same index.
fn program(rows: &[Row]) -> Program {
    common::program(&common::function(FILES, |b| {
        let index = b.read(Reg::new(FileId(0), 0), Swizzle::IDENTITY, Type::I32);
        for (n, row) in (0..).zip(rows) {
            let value = row.push(b, index);
            let written: Vec<u8> = row.mask.iter().collect();
            if !written.is_empty() {
                let value = b.swizzle(value, Swizzle::from_slice(&written), row.mask.count());
                b.write(Reg::new(FileId(1), 4 * n), row.mask, value);
            }
        }
    }))
}

/// Indices in the table and outside of it, with those around powers of two.
fn indices() -> Vec<u32> {
    (0..40).chain((6..32).flat_map(|bit| [(1 << bit) - 1, 1 << bit, !0 << bit])).chain([u32::MAX]).collect()
}

/// Runs the program on all engines and compares. Returns the number of its instructions.
fn judge(rows: &[Row]) -> usize {
    let mut program = program(rows);
    let indices = indices();
    let stride = 4 * rows.len();
    let slot = Slot { reg: Reg::new(FileId(0), 0), units: 1, offset: 0, stride: 1, step: 1 };
    let outputs_of = Slot { reg: Reg::new(FileId(1), 0), units: stride as u16, offset: 0, stride, step: 1 };
    let uniforms: Vec<u32> = (0..UNITS).filter_map(uniform).collect();
    let compare = |program: &Program, level: HostLevel, machine_code: bool| {
        let mut runner = program.runner();
        assert!(machine_code || runner.set_level(level));
        runner.set_uniforms(Reg::new(FileId(2), 0), &uniforms);
        let mut got = vec![0; indices.len() * stride];
        let mut outputs = Outputs { slots: &[outputs_of], data: &mut got };
        let attribute = Attribute { slot, data: &indices };
        runner.run(indices.len(), &[attribute], &mut outputs, &mut []).unwrap_or_else(|d| panic!("{d}"));
        for (got, index) in got.chunks(stride).zip(&indices) {
            let want: Vec<u32> = rows.iter().flat_map(|row| row.value(*index)).collect();
            assert_eq!(got, want, "{level:?}, machine code: {machine_code}, index {index:x} of {rows:x?}");
        }
        assert_eq!(runner.left_chunks(), 0, "rows outside of a table leave no doubt");
    };
    for level in HostLevel::ALL.into_iter().filter(|level| level.is_available()) {
        compare(&program, level, false);
    }
    for level in levels_of_code() {
        program.add_machine_code_for(level, &Limits::default()).unwrap_or_else(|d| panic!("{d}"));
        compare(&program, level, true);
    }
    program.size().1
}

#[test]
fn rows_outside_of_a_table_are_zero() {
    for base in [0, 1, 3, 4, 9, 11] {
        for stride in [0, 1, 3, 4, 5, 8, 255] {
            judge(&[Row { base, stride, ..PLAIN }, PLAIN, Row { base: 8, ..PLAIN }]);
        }
    }
}

#[test]
fn rows_that_are_replaced_outside_are_read_by_one_instruction() {
    let replaced = Row { limit: Some(2), outside: Some((2, [7; 4])), ..PLAIN };
    assert_eq!(judge(&[replaced]), 1);
    let second = Row { base: 4, limit: Some(1), outside: Some((1, [7; 4])), ..PLAIN };
    assert_eq!(judge(&[replaced, second]), 2);
}

/// Every set of components that a program writes, in every order, and repeated.
#[test]
fn components_that_nothing_reads_replace_no_other() {
    let replaced = Row { limit: Some(2), outside: Some((2, [7; 4])), ..PLAIN };
    for swizzle in (0..=u8::MAX).map(Swizzle) {
        for mask in (0..16).map(Mask) {
            for row in [PLAIN, replaced] {
                judge(&[Row { swizzle, mask, ..row }, row]);
            }
        }
    }
}

/// Programs whose rows look like those that are replaced, and differ.
#[test]
fn other_rows_keep_their_selection() {
    let replaced = Row { limit: Some(2), outside: Some((2, [7; 4])), ..PLAIN };
    let others = [
        Row { limit: Some(1), ..replaced },
        Row { limit: Some(3), ..replaced },
        Row { limit: None, ..replaced },
        Row { outside: Some((1, [7; 4])), ..replaced },
        Row { outside: Some((3, [7; 4])), ..replaced },
        Row { outside: Some((2, [7, 7, 8, 7])), ..replaced },
        Row { base: 1, ..replaced },
        Row { outside: None, ..replaced },
        Row { limit: Some(1), outside: Some((1, [7; 4])), ..replaced },
    ];
    for other in others {
        assert!(judge(&[other]) > 1 || other.outside.is_none(), "{other:?}");
        assert!(judge(&[replaced, other]) > 3, "{other:?}");
    }
    // The same table has one element for all rows outside of it.
    assert!(judge(&[replaced, Row { outside: Some((2, [8; 4])), ..replaced }]) > 3);
}
