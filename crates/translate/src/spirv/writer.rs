//! The state that all parts of the writer share: the program, the module under construction, and how to append an
//! instruction to the current function.

use super::control::Control;
use super::emission::Emission;
use super::module::{Id, Module, push};
use super::slots::Slots;
use crate::{Form, Mapping, Options, Program, SpirvVersion, hoist::Hoisted};
use shisa_diag::Diagnostic;
use shisa_ir::{Func, Interface, Node, Op as IrOp, Type, Value};
use spirv::{GlslStd450Op, Op};

/// Why an operation is not translated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refusal {
    /// It rounds in a direction that SPIR-V cannot express.
    Rounding,
    /// It needs neighbouring lanes, which a compute kernel does not have.
    ComputeDerivative,
    /// Its level of detail needs neighbouring lanes, which a compute kernel does not have.
    ComputeLod,
    /// SPIR-V cannot express the texture operation.
    Texture(&'static str),
    /// SPIR-V, or this writer, cannot express it.
    Unsupported(&'static str),
    /// The program breaks a rule of the IR.
    Invalid(&'static str),
}

impl Refusal {
    /// The diagnostic for this refusal at an instruction.
    pub(super) fn at(self, program: &Program, origin: u32) -> Diagnostic {
        let d = match self {
            Refusal::Rounding => {
                let text = "rounding other than to nearest cannot be translated to SPIR-V";
                Diagnostic::error("translate-rounding", text)
            }
            Refusal::ComputeDerivative => {
                let text = "a derivative needs the quads of a fragment stage";
                Diagnostic::error("translate-compute-derivative", text).help("use the stage form")
            }
            Refusal::ComputeLod => {
                let text = "a sample with an implicit level of detail cannot run in a compute kernel";
                Diagnostic::error("translate-compute-lod", text)
                    .help("use the stage form, or a sampler without mip filter")
            }
            Refusal::Texture(what) => crate::texture::cannot(what, "SPIR-V"),
            Refusal::Unsupported(what) => {
                let text = format!("{what} cannot be translated to SPIR-V");
                Diagnostic::error("translate-unsupported", text)
            }
            Refusal::Invalid(what) => {
                Diagnostic::error("translate-shape", format!("the program is not valid: {what}"))
            }
        };
        d.note(match program.source.get(origin as usize) {
            Some(s) if !s.text.is_empty() => format!("instruction {origin}: {}", s.text),
            _ => format!("instruction {origin}"),
        })
    }
}

/// A global variable for a texture.
#[derive(Clone, Copy)]
pub(super) struct TextureUnit {
    pub(super) unit: u16,
    pub(super) shape: shisa_ir::Shape,
    pub(super) access: shisa_ir::TextureAccess,
    /// Type of the image.
    pub(super) ty: Id,
    pub(super) image: Id,
    /// The texture's own sampler; 0 if it has none.
    pub(super) sampler: Id,
}

/// How a killed lane is treated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Killing {
    /// The program has no kill.
    Never,
    /// It becomes a helper at once.
    Demote,
    /// The `bool` variable records it until the program ends.
    Flag(Id),
}

/// The writer of one module.
pub(super) struct Writer<'a> {
    pub(super) program: &'a Program<'a>,
    pub(super) func: &'a Func,
    pub(super) interface: &'a Interface,
    pub(super) version: SpirvVersion,
    pub(super) options: &'a Options,
    /// Whether neighbours exist: a fragment stage.
    pub(super) quads: bool,
    /// Whether it is written as a compute kernel over lanes.
    pub(super) kernel: bool,
    pub(super) module: Module,
    /// Variables of the function being written.
    pub(super) locals: Vec<u32>,
    /// Body of the function being written, without the variables that precede it.
    pub(super) code: Vec<u32>,
    /// Id of each value made so far.
    ids: Vec<Id>,
    /// Variable that carries each value used outside of the scope that made it.
    pub(super) carriers: Vec<Id>,
    /// Which registers hold which inputs and outputs.
    pub(super) slots: Slots,
    /// Parameters of the program's function, one for each input.
    pub(super) inputs: Vec<Id>,
    /// Variables of the program's function, one for each output.
    pub(super) outputs: Vec<Id>,
    /// Global variables of the uniform arrays; 0 for an array of the stage's inputs.
    pub(super) uniforms: Vec<Id>,
    /// Variables of the inputs that each vertex of a primitive has; empty in the compute form.
    pub(super) vertex_inputs: Vec<Id>,
    /// Per-lane arrays: index of the uniform array, and the buffer with the values that no vertex provides; 0 in the
    /// compute form.
    pub(super) initial: Vec<(usize, Id)>,
    /// For a geometry program: its vertex output.
    pub(super) emission: Option<Emission>,
    /// The outputs of a tessellation control program.
    pub(super) control: Control,
    /// The input with the distances to clipping planes, once it is declared.
    pub(super) distance_inputs: Option<Id>,
    /// The buffers of the compute form, once they are declared.
    pub(super) lanes: Option<[Id; 2]>,
    pub(super) textures: Vec<TextureUnit>,
    /// Variables of separate samplers.
    pub(super) samplers: Vec<(u16, Id)>,
    /// Global variables of the spaces of memory.
    pub(super) memory: Vec<(shisa_ir::Space, Id)>,
    /// The variables that hold the same memory as 64-bit words.
    pub(super) longs: Vec<(shisa_ir::Space, Id)>,
    /// Derivatives computed at the start of the function, by texture operation.
    pub(super) gradients: Vec<(Value, [Id; 2])>,
    /// The values that the start of the function has computed.
    pub(super) hoisted: Hoisted,
    pub(super) killing: Killing,
    /// Code of the program's function by instruction, in words of `code`.
    pub(super) map: Vec<Mapping>,
    /// The first state that the writer rules out. No module is returned after one.
    pub(super) fault: Option<Refusal>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(program: &'a Program<'a>, version: SpirvVersion, options: &'a Options) -> Self {
        let kernel = options.form == Form::Compute;
        let count = program.func.nodes.list.len();
        Writer {
            program,
            func: program.func,
            interface: program.interface,
            version,
            options,
            quads: program.interface.stage == shisa_ir::Stage::Fragment && !kernel,
            kernel,
            module: Module::new(),
            locals: Vec::with_capacity(64),
            code: Vec::with_capacity(8 * count),
            ids: vec![0; count],
            carriers: vec![0; count],
            slots: Slots::new(program),
            inputs: Vec::new(),
            outputs: Vec::new(),
            uniforms: Vec::new(),
            vertex_inputs: Vec::new(),
            initial: Vec::new(),
            emission: None,
            control: Control::default(),
            distance_inputs: None,
            lanes: None,
            textures: Vec::new(),
            samplers: Vec::new(),
            memory: Vec::new(),
            longs: Vec::new(),
            gradients: Vec::new(),
            hoisted: Hoisted::default(),
            killing: Killing::Never,
            map: Vec::with_capacity(count),
            fault: None,
        }
    }

    /// A node of the program.
    pub(super) fn node(&self, v: Value) -> Result<Node, Refusal> {
        self.there(v).copied()
    }

    fn there(&self, v: Value) -> Result<&'a Node, Refusal> {
        self.func.nodes.list.get(v.index()).ok_or(Refusal::Invalid("a value does not exist"))
    }

    /// Type of a value.
    pub(super) fn type_of(&self, v: Value) -> Result<Type, Refusal> {
        self.there(v).map(|n| n.ty)
    }

    /// Whether the start of the function has computed a value.
    pub(super) fn is_hoisted(&self, v: Value) -> bool {
        self.hoisted.has(v)
    }

    /// Records the id of a value.
    pub(super) fn define(&mut self, v: Value, id: Id) {
        if let Some(slot) = self.ids.get_mut(v.index()) {
            *slot = id;
        }
    }

    /// Id of a value, for a use at the current position.
    pub(super) fn id(&mut self, v: Value) -> Result<Id, Refusal> {
        let node = self.there(v)?;
        if let IrOp::Const(bits) = node.op {
            return Ok(self.module.constant(node.ty, bits));
        }
        match self.carriers.get(v.index()) {
            Some(&carrier) if carrier != 0 => Ok(self.value(Op::Load, node.ty, &[carrier])),
            _ => match self.ids.get(v.index()) {
                Some(&id) if id != 0 => Ok(id),
                _ => Err(Refusal::Invalid("a value is used before it is made")),
            },
        }
    }

    /// Appends an instruction with a result whose type is an id.
    pub(super) fn raw(&mut self, op: Op, ty: Id, operands: &[u32]) -> Id {
        let id = self.module.id();
        self.code.extend([(operands.len() as u32 + 3) << 16 | op as u32, ty, id]);
        self.code.extend_from_slice(operands);
        id
    }

    /// Appends an instruction with a result.
    pub(super) fn value(&mut self, op: Op, ty: Type, operands: &[u32]) -> Id {
        let ty = self.module.ty(ty);
        self.raw(op, ty, operands)
    }

    /// Appends an instruction of GLSL.std.450.
    pub(super) fn glsl(&mut self, op: GlslStd450Op, ty: Type, operands: &[u32]) -> Id {
        let set = self.module.glsl();
        let ty = self.module.ty(ty);
        let id = self.module.id();
        self.code.push((operands.len() as u32 + 5) << 16 | Op::ExtInst as u32);
        self.code.extend([ty, id, set, op as u32]);
        self.code.extend_from_slice(operands);
        id
    }

    /// Appends an instruction without a result.
    pub(super) fn effect(&mut self, op: Op, operands: &[u32]) {
        push(&mut self.code, op, operands);
    }

    /// Begins a block.
    pub(super) fn label(&mut self, id: Id) {
        push(&mut self.code, Op::Label, &[id]);
    }

    /// A new variable of the function being written; `initial` is a constant or 0 for none.
    pub(super) fn local(&mut self, ty: Id, initial: Id) -> Id {
        let class = spirv::StorageClass::Function;
        let pointer = self.module.pointer(class, ty);
        let id = self.module.id();
        let operands = [pointer, id, class as u32, initial];
        push(&mut self.locals, Op::Variable, if initial == 0 { &operands[..3] } else { &operands });
        id
    }

    /// The value of [`Writer::gather`] where the entry point knows that there is one.
    pub(super) fn gathered(&mut self, parts: &[(Id, Type, u8)], ty: Type) -> Id {
        let made = self.gather(parts, ty);
        self.certain(made)
    }

    /// An id that exists as far as the writer knows. If it does not, that is recorded, and no module is returned.
    pub(super) fn certain(&mut self, id: Result<Id, Refusal>) -> Id {
        id.unwrap_or_else(|refusal| {
            self.fault.get_or_insert(refusal);
            0
        })
    }

    /// A vector (or scalar) of `ty` from components of values: (id, its type, component).
    pub(super) fn gather(&mut self, parts: &[(Id, Type, u8)], ty: Type) -> Result<Id, Refusal> {
        let Some(&(source, from, first)) = parts.first() else {
            return Err(Refusal::Invalid("a value has no components"));
        };
        if parts.iter().any(|p| p.0 != source) {
            let mut ids = [0; 4];
            for (slot, part) in ids.iter_mut().zip(parts) {
                *slot = self.gather(&[*part], part.1.with_count(1))?;
            }
            return Ok(self.value(Op::CompositeConstruct, ty, &ids[..parts.len().min(4)]));
        }
        if parts.iter().any(|p| p.2 >= from.count) {
            return Err(Refusal::Invalid("a value lacks a component"));
        }
        Ok(match (from.count, parts.len()) {
            (1, 1) => source,
            (1, n) => self.value(Op::CompositeConstruct, ty, &[source; 4][..n.min(4)]),
            (_, 1) => self.value(Op::CompositeExtract, ty, &[source, u32::from(first)]),
            (count, n) if n == usize::from(count) && parts.iter().zip(0..).all(|(p, i)| p.2 == i) => source,
            (_, n) => {
                let mut operands = [source; 6];
                for (slot, part) in operands.iter_mut().skip(2).zip(parts) {
                    *slot = u32::from(part.2);
                }
                self.value(Op::VectorShuffle, ty, &operands[..2 + n.min(4)])
            }
        })
    }
}
