//! Roles: the effects of instructions that analyses must know.

use crate::operand::{A, EXPLICIT, FINAL, LEVELS, NUMBER, SCOPE, TARGET, WAIT, X, Y};
use shisa_rows::Slot;

/// The role of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Computes registers from registers, and nothing else.
    Compute,
    /// Writes the number in slot `A` to a register.
    Constant,
    /// Writes the value in slot `X` or the one in slot `Y` to a register, depending on a comparison.
    Select,
    /// Reads registers of other lanes.
    Exchange(Scope),
    /// Determines what runs next, or in which lanes.
    Control(Control),
    /// Waits for the accesses of the group in slot `WAIT`.
    Wait,
    /// Reads or writes memory.
    Memory(Memory),
    /// Orders accesses or threads.
    Barrier(Barrier),
    /// Reads, writes or tests the pixel in the tile.
    Pixel(Pixel),
    /// Reads the coefficients in slot `A`.
    Coefficients(Coefficients),
    /// Outputs varyings of a vertex.
    Varying(Varying),
    /// Only the driver's helper programs have it.
    Driver,
}

/// The lanes between which an instruction exchanges values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Four lanes.
    Quad,
    /// All lanes of a wave.
    Wave,
    /// Four lanes where slot `SCOPE` is 0, otherwise all.
    Chosen,
}

/// What an instruction of control flow does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Ends the wave.
    Stop,
    /// Ends the wave; control must not reach it.
    Trap,
    /// A jump whose target the linker has not filled in.
    Incomplete,
    /// Jumps by the distance in slot `A`, or not.
    Jump,
    /// Jumps by the distance in slot `NUMBER`, or not.
    ShortJump,
    /// Calls a procedure at the distance in slot `A`.
    Call,
    /// Calls the procedure whose offset a register holds.
    CallRegister,
    /// Returns to the offset that a register holds.
    Return,
    /// Changes the nesting counter and with it the mask of active lanes.
    Nesting(Nesting),
}

/// What an instruction does to the nesting counter, by the levels in slot `LEVELS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// Masks off lanes where a condition does not hold.
    If,
    /// Masks off active lanes, and activates lanes of the last level where a condition holds.
    Else,
    /// Masks off lanes that leave a loop.
    While,
    /// Ends levels.
    Pop,
    /// Makes lanes active whose counter is 0.
    Update,
}

/// The memory that an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Device memory. Finishes later, see slot `WAIT`.
    Device,
    /// The stack of a thread. Finishes later, see slot `WAIT`.
    Stack,
    /// The pointer to the stack.
    StackPointer,
    /// The memory that a workgroup shares.
    Shared,
    /// Uniforms.
    Uniforms,
    /// Uniforms. Finishes later, see slot `WAIT`.
    UniformElements,
    /// A texture. Finishes later, see slot `WAIT`.
    Texture,
    /// An image.
    Image,
    /// The descriptor of a texture or sampler. Finishes later, see slot `WAIT`.
    Descriptor,
}

/// What a barrier orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// The threads of a workgroup.
    Threads,
    /// Accesses to memory.
    Memory,
    /// Accesses of kinds that are not known exactly: to images, to textures, to memory of other caches.
    Other,
}

/// What an instruction does with a pixel and its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixel {
    /// Waits for earlier fragments, for the reasons in slot `TARGET`.
    Wait,
    /// Lets later fragments continue.
    Release,
    /// Kills or tests the samples in slot `TARGET`, depending on those in slot `A`.
    Test,
    /// Outputs depth and stencil of the samples in slot `TARGET`, and tests them.
    Emit,
    /// Loads from the samples in slot `TARGET`.
    Load,
    /// Stores to the samples in slot `TARGET`. Slot `EXPLICIT` is set where the instruction names the pixel.
    Store,
    /// Copies from the tile to an image. Slot `EXPLICIT` is set where the instruction names the position.
    Block,
}

/// What is read from coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficients {
    /// The interpolated values of one to four registers.
    Values,
    /// The plane equation of one register.
    Plane,
}

/// What a vertex outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Varying {
    /// A number. Slot `LAST` is set in the last one.
    Store,
    /// Nothing.
    Absent,
}

impl Role {
    /// The slots that engines read in instructions of this role: rows must have operands in them.
    pub const fn slots(self) -> &'static [Slot] {
        match self {
            Role::Compute | Role::Driver => &[],
            Role::Constant | Role::Coefficients(_) => &[A],
            Role::Select => &[X, Y],
            Role::Exchange(Scope::Chosen) => &[SCOPE],
            Role::Exchange(Scope::Quad | Scope::Wave) | Role::Barrier(_) => &[],
            Role::Wait => &[WAIT],
            Role::Control(control) => match control {
                Control::Stop | Control::Trap => &[],
                Control::Incomplete | Control::Jump | Control::Call => &[A],
                Control::CallRegister | Control::Return => &[A],
                Control::ShortJump => &[NUMBER],
                Control::Nesting(Nesting::Update) => &[],
                Control::Nesting(_) => &[LEVELS],
            },
            Role::Memory(memory) => {
                if memory.is_pending() {
                    &[WAIT]
                } else {
                    &[]
                }
            }
            Role::Pixel(pixel) => match pixel {
                Pixel::Wait | Pixel::Release | Pixel::Emit | Pixel::Load => &[TARGET],
                Pixel::Test => &[TARGET, A],
                Pixel::Store => &[TARGET, EXPLICIT],
                Pixel::Block => &[EXPLICIT],
            },
            Role::Varying(Varying::Store) => &[FINAL],
            Role::Varying(Varying::Absent) => &[],
        }
    }
}

impl Memory {
    /// Whether the access finishes some time after the instruction, when its group has been waited for.
    pub const fn is_pending(self) -> bool {
        match self {
            Memory::Device
            | Memory::Stack
            | Memory::UniformElements
            | Memory::Texture
            | Memory::Descriptor => true,
            Memory::StackPointer | Memory::Shared | Memory::Uniforms | Memory::Image => false,
        }
    }
}
