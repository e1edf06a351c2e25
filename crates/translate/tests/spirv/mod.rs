//! Modules of SPIR-V through the public interface. `spirv-val` checks every module written here; if it is not installed, the tests say so.

mod programs;
mod shape;

use crate::common::Case;
use crate::common::modules::{instructions, opcode};
use crate::common::validator::{judged, piped};
use shisa_diag::Limits;
use shisa_ir::*;
use shisa_translate::{Code, Form, Options, Output, Program, Source, SpirvVersion, Target, translate};
use std::process::Command;

/// The register files of the test programs.
pub(super) const FILES: &[File] = &[
    file("i", FileKind::Input, Scalar::F32, 32),
    file("c", FileKind::Uniform, Scalar::F32, 64),
    file("o", FileKind::Output, Scalar::F32, 32),
    File { units_per_register: 1, ..file("n", FileKind::Uniform, Scalar::I32, 16) },
];
pub(super) const INPUT: FileId = FileId(0);
pub(super) const UNIFORM: FileId = FileId(1);
pub(super) const OUTPUT: FileId = FileId(2);
pub(super) const INTEGERS: FileId = FileId(3);

const fn file(name: &'static str, kind: FileKind, scalar: Scalar, units: u16) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units, scalar }
}

pub(super) fn io(name: &'static str, file: FileId, unit: u16, binding: Binding) -> Io {
    Io {
        name: name.into(),
        reg: Reg::new(file, unit),
        scalar: Scalar::F32,
        count: 4,
        used: Mask::ALL,
        binding,
    }
}

/// Two inputs, two outputs, both uniform files.
pub(super) fn interface(stage: Stage) -> Interface {
    let uniform = |name: &'static str, file, registers, indirect, binding| UniformArray {
        indirect,
        binding,
        ..UniformArray::new(name, file, registers)
    };
    let first = if stage == Stage::Vertex { Binding::Position } else { Binding::Location(0) };
    Interface {
        inputs: vec![io("i0", INPUT, 0, Binding::Location(0)), io("i1", INPUT, 4, Binding::Location(1))],
        outputs: vec![io("o0", OUTPUT, 0, first), io("o1", OUTPUT, 4, Binding::Location(1))],
        uniforms: vec![uniform("c", UNIFORM, 8, true, 0), uniform("n", INTEGERS, 6, false, 1)],
        textures: [(0, Dim::D2, "s0"), (1, Dim::Cube, "s1"), (2, Dim::D3, "s2")]
            .map(|(unit, dim, name)| Texture::new(name, unit, dim))
            .into(),
        ..Case::new(stage, FILES).interface
    }
}

/// A function under construction: blocks of operations and the tree over them.
pub(super) struct Made {
    pub(super) func: Func,
    pub(super) tree: Tree,
    pub(super) interface: Interface,
}

impl Made {
    pub(super) fn new(stage: Stage) -> Made {
        Made {
            func: Func { files: FILES, nodes: Nodes::default(), blocks: Vec::new() },
            tree: Tree::default(),
            interface: interface(stage),
        }
    }

    /// Adds a block with the operations that `f` builds.
    pub(super) fn block<R>(&mut self, f: impl FnOnce(&mut Builder) -> R) -> (Stmt, R) {
        let start = self.func.nodes.list.len() as u32;
        let origin = self.func.blocks.len() as u32;
        let result = f(&mut Builder::new(&mut self.func.nodes, origin));
        let body = (start..self.func.nodes.list.len() as u32).map(Value).collect();
        let id = BlockId(self.func.blocks.len() as u32);
        self.func.blocks.push(Block { params: Vec::new(), body, end: End::Exit });
        (Stmt::Block(id), result)
    }

    /// Adds a block that only has this parameter.
    pub(super) fn param_block(&mut self, ty: Type) -> (Stmt, Var, Value) {
        let v = self.func.nodes.push(Op::Param, ty, 0);
        let var = Var(self.tree.vars.len() as u32);
        self.tree.vars.push((ty, VarKind::Param(v)));
        let id = BlockId(self.func.blocks.len() as u32);
        self.func.blocks.push(Block { params: vec![v], body: Vec::new(), end: End::Exit });
        (Stmt::Block(id), var, v)
    }

    pub(super) fn var(&mut self, ty: Type, kind: VarKind) -> Var {
        self.tree.vars.push((ty, kind));
        Var(self.tree.vars.len() as u32 - 1)
    }

    pub(super) fn translate(&self, version: SpirvVersion, options: &Options) -> Result<Output, String> {
        let program = Program { func: &self.func, tree: &self.tree, interface: &self.interface, source: &[] };
        translate(&program, Target::Spirv(version), options, &Limits::default())
            .map_err(|d| d.first().map_or(String::new(), |d| d.code.into()))
    }

    /// Translates to all versions and, if `kernel` is set, to both forms; all must be valid.
    #[track_caller]
    pub(super) fn check(&self, kernel: bool) {
        for version in [SpirvVersion::V1_3, SpirvVersion::V1_4, SpirvVersion::V1_5, SpirvVersion::V1_6] {
            for form in [Form::Stage, Form::Compute] {
                if form == Form::Compute && !kernel {
                    continue;
                }
                let options = Options { form, ..Options::default() };
                validate(version, &words(&self.translate(version, &options).unwrap()));
            }
        }
    }
}

pub(super) fn words(output: &Output) -> Vec<u32> {
    match &output.code {
        Code::Words(words) => words.clone(),
        Code::Text(_) => panic!("text"),
    }
}

/// `spirv-val` must accept the module.
#[track_caller]
pub(super) fn validate(version: SpirvVersion, words: &[u32]) {
    let environment = match version {
        SpirvVersion::V1_3 => "vulkan1.1",
        SpirvVersion::V1_4 => "vulkan1.1spv1.4",
        SpirvVersion::V1_5 => "vulkan1.2",
        SpirvVersion::V1_6 => "vulkan1.3",
    };
    if let Some(Err(text)) = judged(words, environment) {
        panic!("{text}\n{}", listing(words));
    }
}

/// The module as `spirv-dis` prints it.
pub(super) fn listing(words: &[u32]) -> String {
    piped(Command::new("spirv-dis").args(["--no-color", "-"]), words).map_or(String::new(), |(_, text)| text)
}
