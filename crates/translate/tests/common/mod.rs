//! Small programs built by hand.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, reason = "each test file uses some of it")]

pub mod cases;
pub mod glslang;
pub mod interpret;
pub mod modules;
pub mod validator;
pub mod words;

use shisa_diag::Limits;
use shisa_ir::*;
use shisa_translate::{Code, Options, Output, Program, Source, Target, translate};

pub const VERTEX_FILES: &[File] = &[
    file("va", FileKind::Input, 32),
    file("vc", FileKind::Uniform, 512),
    file("op", FileKind::Output, 4),
    file("v", FileKind::Output, 32),
    File {
        name: "iid",
        kind: FileKind::Input,
        unit_bits: 32,
        units_per_register: 1,
        units: 1,
        scalar: Scalar::F32,
    },
];
pub const FRAGMENT_FILES: &[File] = &[
    file("v", FileKind::Input, 32),
    file("fc", FileKind::Uniform, 112),
    file("oc", FileKind::Output, 16),
    file("fd", FileKind::Output, 4),
];

const fn file(name: &'static str, kind: FileKind, units: u16) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units, scalar: Scalar::F32 }
}

pub const F4: Type = Scalar::F32.by(4);

/// A program with all it needs.
pub struct Case {
    pub func: Func,
    pub tree: Tree,
    pub interface: Interface,
    pub source: Vec<(String, String)>,
}

pub fn io(name: &'static str, file: u8, register: u16, count: u8, binding: Binding) -> Io {
    let reg = Reg::new(FileId(file), 4 * register);
    Io { name: name.into(), reg, scalar: Scalar::F32, count, used: Mask::first(count), binding }
}

impl Case {
    /// A vertex program of one block: inputs va0 and va1, constants vc0 to vc15, outputs op and v0.
    pub fn vertex(body: impl FnOnce(&mut Builder)) -> Case {
        let mut case = Case::new(Stage::Vertex, VERTEX_FILES);
        case.interface.inputs =
            vec![io("va0", 0, 0, 4, Binding::Location(0)), io("va1", 0, 1, 4, Binding::Location(1))];
        case.interface.outputs =
            vec![io("op", 2, 0, 4, Binding::Position), io("v0", 3, 0, 4, Binding::Location(0))];
        case.interface
            .uniforms
            .push(UniformArray { used: vec![0], ..UniformArray::new("vc", FileId(1), 16) });
        case.straight(body);
        case
    }

    /// A fragment program of one block: inputs v0 and v1, constants fc0 to fc7, texture fs0, output oc.
    pub fn fragment(body: impl FnOnce(&mut Builder)) -> Case {
        let mut case = Case::new(Stage::Fragment, FRAGMENT_FILES);
        case.interface.inputs =
            vec![io("v0", 0, 0, 4, Binding::Location(0)), io("v1", 0, 1, 4, Binding::Location(1))];
        case.interface.outputs = vec![io("oc", 2, 0, 4, Binding::Location(0))];
        case.interface.uniforms.push(UniformArray { used: vec![0], ..UniformArray::new("fc", FileId(1), 8) });
        case.straight(body);
        case
    }

    pub fn new(stage: Stage, files: &'static [File]) -> Case {
        Case {
            func: Func { files, nodes: Nodes::default(), blocks: Vec::new() },
            tree: Tree::default(),
            interface: Interface {
                stage,
                inputs: Vec::new(),
                outputs: Vec::new(),
                uniforms: Vec::new(),
                textures: Vec::new(),
                samplers: Vec::new(),
                buffers: Vec::new(),
                geometry: None,
                tessellation: None,
                vertex_outputs: Vec::new(),
                patch_outputs: Vec::new(),
                vertex_inputs: Vec::new(),
                workgroup: [1; 3],
                shared: 0,
                local: 0,
            },
            source: Vec::new(),
        }
    }

    /// The program after lowering for a target that has these kinds.
    pub fn narrowed(&self, natives: Natives) -> Case {
        let (mut func, interface, source) = (self.func.clone(), self.interface.clone(), self.source.clone());
        let files = func.files;
        narrow(&mut func, files, Addresses::Window, natives).unwrap();
        verify(&func).unwrap();
        let tree = structurise(&mut func, &Limits::default()).unwrap();
        Case { func, tree, interface, source }
    }

    fn straight(&mut self, body: impl FnOnce(&mut Builder)) {
        self.block(body);
        self.tree.body = vec![Stmt::Block(BlockId(0)), Stmt::Exit];
    }

    /// Appends a block; parameters are set by the caller.
    pub fn block(&mut self, body: impl FnOnce(&mut Builder)) -> BlockId {
        let start = self.func.nodes.list.len() as u32;
        body(&mut Builder::new(&mut self.func.nodes, 0));
        let (mut params, mut list) = (Vec::new(), Vec::new());
        for v in (start..self.func.nodes.list.len() as u32).map(Value) {
            match self.func.nodes.op(v) {
                Op::Param => params.push(v),
                _ => list.push(v),
            }
        }
        self.func.blocks.push(Block { params, body: list, end: End::Exit });
        BlockId(self.func.blocks.len() as u32 - 1)
    }

    pub fn texture(mut self, dim: Dim, sampler: Option<Sampler>) -> Case {
        let texture = Texture { sampler, format: "rgba", ..Texture::new("fs0", 0, dim) };
        self.interface.textures.push(texture);
        self
    }

    pub fn translate(
        &self,
        target: Target,
        options: &Options,
    ) -> Result<Output, Vec<shisa_diag::Diagnostic>> {
        let source: Vec<Source> = self.source.iter().map(|(text, result)| Source { text, result }).collect();
        translate(&self.program(&source), target, options, &Limits::default())
    }

    pub fn program<'a>(&'a self, source: &'a [Source<'a>]) -> Program<'a> {
        Program { func: &self.func, tree: &self.tree, interface: &self.interface, source }
    }

    /// The text for a target; panics with the diagnostics of a refusal.
    pub fn text(&self, target: Target, options: &Options) -> String {
        match self.translate(target, options) {
            Ok(Output { code: Code::Text(text), .. }) => text,
            other => panic!("{other:?}"),
        }
    }
}

/// Reads all of an input register.
pub fn input(b: &mut Builder, register: u16) -> Value {
    b.read(Reg::new(FileId(0), 4 * register), Swizzle::IDENTITY, F4)
}

/// Reads all of a constant register.
pub fn constant(b: &mut Builder, register: u16) -> Value {
    b.read(Reg::new(FileId(1), 4 * register), Swizzle::IDENTITY, F4)
}

/// Writes all of the first register of an output file.
pub fn output(b: &mut Builder, file: u8, value: Value) {
    b.write(Reg::new(FileId(file), 0), Mask::ALL, value);
}
