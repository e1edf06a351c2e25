//! Calls: macros, and opcodes in function form.

use super::{Lower, MOST_HINTS, Step};
use crate::Agal;
use crate::macro_language::expression::Call;
use crate::macro_language::opcodes::{self, function};
use crate::macro_language::preprocess::Macro;
use crate::macro_language::scope::{Operand, Scope};
use crate::operand::{D, SamplerKind, SourceKind};
use crate::shape::Shape;
use alloc::{collections::BTreeMap, format, rc::Rc, string::String, vec::Vec};
use core::any::Any;
use shisa_diag::Diagnostic;
use shisa_rows::Form;

impl<'s> Lower<'s, '_> {
    /// The macro that a call refers to.
    pub(super) fn find(&self, call: &Call<'s>) -> Option<Rc<Macro<'s>>> {
        self.macros.get(&(call.name.text, call.arguments.len())).cloned()
    }

    /// Lowers a call into `target`.
    pub(super) fn call(&mut self, target: &Operand, call: &Call<'s>, scope: &Scope<'s>) -> Step<()> {
        if let Some(found) = self.find(call) {
            return self.expand(&found, Some(target.clone()), call, scope);
        }
        let Some(form) = function(call.name.text) else { return Err(self.unknown(call)) };
        if form.operand(D).is_none() {
            let text = format!("{} gives no result", form.name);
            return Err(Diagnostic::error("asm-macro", text).at_text(call.name.span, ""));
        }
        self.instruction_call(form, Some(target.clone()), call, scope)
    }

    /// Lowers a call that is a statement.
    pub(super) fn call_statement(&mut self, call: &Call<'s>, scope: &Scope<'s>) -> Step<()> {
        if let Some(found) = self.find(call) {
            return self.expand(&found, None, call, scope);
        }
        match function(call.name.text) {
            Some(form) if form.operand(D).is_none() => self.instruction_call(form, None, call, scope),
            Some(form) => {
                let text = format!("the result of {} is not used", form.name);
                let d = Diagnostic::error("asm-macro", text).at_text(call.span, "");
                Err(d.help(format!("as in ft0 = {}", self.slice(call.span))))
            }
            None => Err(self.unknown(call)),
        }
    }

    fn unknown(&self, call: &Call<'s>) -> Diagnostic {
        let (name, n) = (call.name.text, call.arguments.len());
        let d = |text| Diagnostic::error("asm-macro", text).at_text(call.name.span, "");
        if let Some(((_, takes), _)) = self.macros.range((name, 0)..=(name, usize::MAX)).next() {
            return d(format!("macro {name} takes {}, {n} given", arguments(*takes)));
        }
        let names = self.macros.keys().map(|k| k.0).take(MOST_HINTS).chain(opcodes::suggested());
        match shisa_rows::nearest(name, names) {
            Some(near) => d(format!("unknown macro \"{name}\"")).help(format!("did you mean {near}?")),
            None => {
                d(format!("unknown macro \"{name}\"")).help("a macro is defined as macro Name(a, b) { … }")
            }
        }
    }

    /// Writes an opcode in function form.
    fn instruction_call(
        &mut self,
        form: &'static Form<Agal>,
        target: Option<Operand>,
        call: &Call<'s>,
        scope: &Scope<'s>,
    ) -> Step<()> {
        let sources: Vec<_> = form.operands.iter().filter(|o| o.slot != D).collect();
        if sources.len() != call.arguments.len() {
            let (takes, given) = (sources.len(), call.arguments.len());
            let text = format!("{} takes {}, {given} given", call.name.text, arguments(takes));
            return Err(Diagnostic::error("asm-operand-count", text).at_text(call.span, ""));
        }
        let written = target.as_ref().map_or(15, Operand::mask);
        let mut operands: Vec<Operand> = target.iter().cloned().collect();
        let mut takes_options = false;
        for (i, (source, argument)) in sources.iter().zip(&call.arguments).enumerate() {
            let kind: &dyn Any = source.kind;
            takes_options |= kind.is::<SamplerKind>();
            let mask = match kind.downcast_ref() {
                Some(SourceKind(Shape::Each)) => written,
                Some(SourceKind(Shape::First(n))) => (1u8 << n) - 1,
                _ => 15,
            };
            let value = match &target {
                // Only for the first: the target may hold the values of arguments before it.
                Some(target) if i == 0 => {
                    let rest: Vec<_> = call.arguments.iter().skip(1).collect();
                    self.part(target, argument, mask, &rest, scope)?
                }
                _ => self.value(argument, mask, scope)?,
            };
            operands.push(value);
        }
        if let Some(options) = call.options.filter(|_| !takes_options) {
            let text = format!("{} takes no sampler options", call.name.text);
            return Err(Diagnostic::error("asm-sampler-option", text).at_text(options, ""));
        }
        self.write(form.name, call.span, &operands, call.options)
    }

    /// Writes the body of a macro.
    fn expand(
        &mut self,
        m: &Macro<'s>,
        out: Option<Operand>,
        call: &Call<'s>,
        scope: &Scope<'s>,
    ) -> Step<()> {
        let key = (m.name.text, m.parameters.len());
        if self.active.contains(&key) {
            let text = format!("macro {} calls itself", m.name.text);
            return Err(Diagnostic::error("asm-macro-recursion", text).at_text(call.span, ""));
        }
        self.deeper(call.span)?;
        let mut inner = Scope { parameters: BTreeMap::new(), out };
        for (name, argument) in m.parameters.iter().zip(&call.arguments) {
            let value = self.value(argument, 15, scope)?;
            inner.parameters.insert(name, value);
        }
        let outer = self.out.enter(m.name.text, call.span);
        self.active.push(key);
        self.depth += 1;
        for statement in &m.body {
            if !self.statement(statement, &inner) {
                break;
            }
        }
        self.depth -= 1;
        self.active.pop();
        self.out.leave(outer);
        Ok(())
    }
}

fn arguments(n: usize) -> String {
    if n == 1 { String::from("1 argument") } else { format!("{n} arguments") }
}
