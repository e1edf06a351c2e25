//! Vertices of a geometry stage that go to several streams.

use super::emission::StreamVariables;
use super::module::Id;
use super::slots::value_type;
use super::writer::{Refusal, Writer};
use crate::streams::Streams;
use shisa_ir::{Op as IrOp, Type, Value};
use spirv::{Capability, Decoration, Op, StorageClass};

impl Writer<'_> {
    /// Declares the outputs of streams other than the first.
    pub(super) fn stream_variables(
        &mut self,
        streams: Streams,
        declared: &mut Vec<Id>,
    ) -> Result<StreamVariables, Refusal> {
        self.module.capability(Capability::GeometryStreams);
        let mut outputs = Vec::with_capacity(streams.outputs.len());
        for output in &streams.outputs {
            let io = self.interface.outputs.get(output.output);
            let io = io.ok_or(Refusal::Invalid("a stream has an output that the program lacks"))?;
            let of = self.module.ty(value_type(io));
            let id = self.module.variable(StorageClass::Output, of);
            self.module.name(id, &format!("{}_stream{}", io.name, output.stream));
            self.module.decorate(id, Decoration::Location, &[output.location]);
            self.module.decorate(id, Decoration::Stream, &[output.stream.into()]);
            outputs.push(id);
        }
        declared.extend(&outputs);
        Ok(StreamVariables { streams, outputs })
    }

    /// Outputs a vertex to the stream with a number.
    pub(super) fn emit_to_stream(&mut self, to: &StreamVariables, stream: Value) -> Result<(), Refusal> {
        if let IrOp::Const(number) = self.node(stream)?.op {
            match to.streams.used().find(|stream| u64::from(*stream) == number) {
                Some(stream) => self.emit_to(to, stream),
                // No stream has the number: the vertex is not output, and every strip ends.
                None => self.end_strips_of(to, None),
            }
            return Ok(());
        }
        let stream = self.id(stream)?;
        for number in to.streams.used() {
            let constant = self.module.u32(number.into());
            let here = self.value(Op::IEqual, Type::BOOL, &[stream, constant]);
            let merge = self.begin_if(here);
            self.emit_to(to, number);
            self.effect(Op::Branch, &[merge]);
            self.label(merge);
        }
        Ok(())
    }

    fn emit_to(&mut self, to: &StreamVariables, stream: u8) {
        self.end_strips_of(to, Some(stream));
        if !to.streams.outputs_to(stream) {
            return;
        }
        if stream == 0 {
            let outputs = self.emission.as_ref().map(|emission| emission.outputs.clone());
            self.store_outputs(outputs.unwrap_or_default());
        }
        let own = to.streams.outputs.iter().zip(&to.outputs).filter(|(output, _)| output.stream == stream);
        for (output, variable) in own {
            let interface = self.interface;
            let from = interface.outputs.get(output.output).zip(self.outputs.get(output.output).copied());
            let Some((io, from)) = from else { continue };
            let value = self.value(Op::Load, value_type(io), &[from]);
            self.effect(Op::Store, &[*variable, value]);
        }
        let number = self.module.u32(stream.into());
        self.effect(Op::EmitStreamVertex, &[number]);
    }

    /// Ends the strips of all streams, or of all but one.
    pub(super) fn end_strips_of(&mut self, to: &StreamVariables, but: Option<u8>) {
        for stream in to.streams.ended(but) {
            let number = self.module.u32(stream.into());
            self.effect(Op::EndStreamPrimitive, &[number]);
        }
    }
}
