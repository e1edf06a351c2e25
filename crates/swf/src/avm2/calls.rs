//! Calls: of methods, of assemblers, and of the player.

use super::frame::{Outcome, Stop};
use super::machine::{Machine, Property};
use super::value::{ByteArray, Closure, Function, Id, Kind, Value};
use shisa_agal::{Program, identify_source};
use shisa_diag::Limits;
use shisa_ir::Stage;

/// Most functions that wait for the player to call them.
const MAX_CALLBACKS: usize = 256;

impl Machine<'_, '_> {
    /// Calls a value.
    pub(crate) fn call_value(&mut self, function: &Value, this: Value, arguments: Vec<Value>) -> Outcome {
        match function.as_object().map(|id| self.state.kind(id).clone()) {
            Some(Kind::Closure(closure)) => {
                let this = closure.this.map_or(this, Value::Object);
                self.call(&closure, this, arguments)
            }
            Some(Kind::Class(class)) => {
                let value = arguments.into_iter().next().unwrap_or(Value::Undefined);
                if let Some(Kind::Unknown(kind @ None)) =
                    value.as_object().and_then(|id| self.state.kind_mut(id))
                {
                    *kind = Some(class);
                }
                Ok(value)
            }
            Some(Kind::Player(name)) => self.call_player_class(&name, arguments),
            _ => Ok(self.outside(&arguments)),
        }
    }

    /// A call of which nothing is known: functions among its arguments may be called later.
    pub(crate) fn outside(&mut self, arguments: &[Value]) -> Value {
        for argument in arguments {
            if let Some(Kind::Closure(closure)) = argument.as_object().map(|id| self.state.kind(id)) {
                let known = self.state.callbacks.iter().any(|c| c.function == closure.function);
                if !known && self.state.callbacks.len() < MAX_CALLBACKS {
                    let closure = closure.clone();
                    self.state.callbacks.push(closure);
                }
            }
        }
        self.state.unknown(None)
    }

    /// Makes an object of a class.
    pub(crate) fn construct(&mut self, class: &Value, arguments: Vec<Value>) -> Outcome {
        match class.as_object().map(|id| self.state.kind(id).clone()) {
            Some(Kind::Class(class)) => {
                if let Some(data) = self.domain.data_of(class) {
                    self.spend(data.len() / 16)?;
                    let bytes = ByteArray { bytes: data.to_vec(), ..ByteArray::default() };
                    return Ok(self.state.object(Kind::Bytes(bytes)));
                }
                let object = self.state.object(Kind::Instance(Some(class)));
                if !self.is_assembler(class) {
                    self.construct_as(class, object.clone(), arguments)?;
                }
                Ok(object)
            }
            Some(Kind::Player(name)) => self.construct_player_class(&name, arguments),
            _ => Ok(self.outside(&arguments)),
        }
    }

    /// Runs the constructor of a class.
    pub(crate) fn construct_as(&mut self, class: usize, this: Value, arguments: Vec<Value>) -> Outcome<()> {
        let of = self.domain.classes.get(class).ok_or(Stop)?;
        let constructor = self.domain.files.get(of.abc).and_then(|f| f.classes.get(of.index));
        let closure = self.closure(class, constructor.ok_or(Stop)?.construct, None)?;
        self.call(&closure, this, arguments)?;
        Ok(())
    }

    /// The class that declares a method.
    fn class_of(&self, function: Function, this: &Value) -> Option<usize> {
        let class = match self.state.kind(this.as_object()?) {
            Kind::Instance(Some(class)) | Kind::Unknown(Some(class)) => *class,
            _ => return None,
        };
        self.domain.line(class).find(|c| self.domain.declares(*c, function))
    }

    /// Runs the constructor of the base class.
    pub(crate) fn construct_base(
        &mut self,
        function: Function,
        this: Value,
        arguments: Vec<Value>,
    ) -> Outcome<()> {
        match self.class_of(function, &this).and_then(|c| self.domain.base(c)) {
            Some(base) => self.construct_as(base, this, arguments),
            None => {
                self.outside(&arguments);
                Ok(())
            }
        }
    }

    /// Calls a method of the base class.
    pub(crate) fn call_super(
        &mut self,
        function: Function,
        this: Value,
        property: &Property,
        arguments: Vec<Value>,
    ) -> Outcome {
        let base = self.class_of(function, &this).and_then(|c| self.domain.base(c));
        match base.and_then(|b| self.domain.member(b, &property.name)) {
            Some((class, members)) if members.method.is_some() => {
                let closure = self.closure(class, members.method.ok_or(Stop)?, None)?;
                self.call(&closure, this, arguments)
            }
            _ => Ok(self.outside(&arguments)),
        }
    }

    /// A property of the base class.
    pub(crate) fn get_super(&mut self, function: Function, this: Value, property: &Property) -> Outcome {
        let base = self.class_of(function, &this).and_then(|c| self.domain.base(c));
        match base.and_then(|b| self.domain.member(b, &property.name)) {
            Some((class, members)) if members.getter.is_some() => {
                let closure = self.closure(class, members.getter.ok_or(Stop)?, None)?;
                self.call(&closure, this, Vec::new())
            }
            _ => self.get(this, property),
        }
    }

    /// Calls a property of an object.
    pub(crate) fn call_property(
        &mut self,
        object: Value,
        property: &Property,
        arguments: Vec<Value>,
    ) -> Outcome {
        if &*property.name == "upload" && self.upload(&arguments) {
            return Ok(Value::Undefined);
        }
        if &*property.name == "assemble"
            && let [stage, source, more @ ..] = arguments.as_slice()
        {
            return Ok(self.assemble(object.as_object(), stage, source, more));
        }
        let result = self.called(object, property, &arguments)?;
        Ok(self.seems_to_assemble(&arguments, result))
    }

    fn called(&mut self, object: Value, property: &Property, arguments: &[Value]) -> Outcome {
        if let Some(result) = self.call_player(&object, &property.name, arguments)? {
            return Ok(result);
        }
        let Value::Object(id) = object else { return Ok(self.outside(arguments)) };
        match self.state.kind(id).clone() {
            Kind::Instance(Some(class)) | Kind::Unknown(Some(class))
                if self.state.property(id, &property.name).is_none() =>
            {
                if let Some((class, members)) = self.domain.member(class, &property.name)
                    && let Some(method) = members.method
                {
                    let closure = self.closure(class, method, None)?;
                    return self.call(&closure, Value::Object(id), arguments.to_vec());
                }
            }
            // A method of this name that only one class has.
            Kind::Unknown(None) if self.state.property(id, &property.name).is_none() => {
                if let Some((class, method)) = self.domain.only(&property.name) {
                    let closure = self.closure(class, method, None)?;
                    return self.call(&closure, Value::Object(id), arguments.to_vec());
                }
                return Ok(self.outside(arguments));
            }
            _ => {}
        }
        let function = self.get(Value::Object(id), property)?;
        self.call_value(&function, Value::Object(id), arguments.to_vec())
    }

    /// Records what an assembler receives; returns the bytes that it makes.
    fn assemble(&mut self, assembler: Option<Id>, stage: &Value, source: &Value, more: &[Value]) -> Value {
        let assembled = match source {
            Value::Text(text) if identify_source(&text.text).is_some() => {
                let version = more.iter().find_map(version);
                let number = self.catalogue.source(text, stage.as_text().and_then(stage_of), version);
                self.state.object(Kind::Assembled(number))
            }
            _ => self.state.unknown(None),
        };
        if let Some(assembler) = assembler {
            self.state.set(assembler, "agalcode".into(), assembled.clone());
        }
        assembled
    }

    /// Takes a call with a stage and a source as an assembler's, whatever its name, if the call itself did not lead to
    /// an assembler.
    fn seems_to_assemble(&mut self, arguments: &[Value], result: Value) -> Value {
        let staged = arguments.iter().position(|a| a.as_text().is_some_and(|t| stage_of(t).is_some()));
        let Some(at) = staged else { return result };
        let source = |v: &&Value| v.as_text().is_some_and(|t| identify_source(t).is_some());
        let Some(text) = arguments.iter().find(source).and_then(Value::as_text) else { return result };
        if self.catalogue.has(text) {
            return result;
        }
        let (Some(stage), Some(source)) = (arguments.get(at), arguments.iter().find(source)) else {
            return result;
        };
        let assembled = self.assemble(None, stage, source, arguments.get(at + 1..).unwrap_or_default());
        if self.state.is_unknown(&result) { assembled } else { result }
    }

    /// Records the programs of an upload; `false` if it is another.
    fn upload(&mut self, arguments: &[Value]) -> bool {
        let [vertex, fragment, ..] = arguments else { return false };
        let programs = [vertex, fragment].map(|a| self.uploaded(a));
        if let [Some(vertex), Some(fragment)] = programs {
            let stage = |at: usize| self.catalogue.programs.get(at).and_then(|p| p.stage);
            if stage(vertex) != Some(Stage::Fragment) && stage(fragment) != Some(Stage::Vertex) {
                self.catalogue.pairs.insert((vertex, fragment));
            }
        }
        programs.iter().any(Option::is_some)
    }

    /// The number of the program that an argument holds.
    fn uploaded(&mut self, value: &Value) -> Option<usize> {
        match self.state.kind(value.as_object()?) {
            Kind::Assembled(number) => Some(*number),
            Kind::Bytes(bytes) => {
                let program = Program::read(&bytes.bytes, &Limits::default()).ok()?;
                let written = program.write();
                (!program.tokens.is_empty())
                    .then(|| self.catalogue.program(&written, program.stage, program.version))
            }
            _ => None,
        }
    }

    /// Calls the functions that were passed to the player.
    pub(crate) fn run_callbacks(&mut self) -> Outcome<()> {
        let mut next = 0;
        while let Some(closure) = self.state.callbacks.get(next).cloned() {
            next += 1;
            let parameters = self.domain.method(closure.function).map_or(0, |m| m.parameters.len());
            let arguments: Vec<Value> = (0..parameters).map(|_| self.state.unknown(None)).collect();
            let this = closure.this.map_or(Value::Undefined, Value::Object);
            self.call(&Closure { ..closure }, this, arguments)?;
        }
        Ok(())
    }
}

/// The stage that the player's constants name.
fn stage_of(text: &str) -> Option<Stage> {
    match text {
        "vertex" => Some(Stage::Vertex),
        "fragment" => Some(Stage::Fragment),
        _ => None,
    }
}

/// The version of AGAL, if a value can be one.
fn version(value: &Value) -> Option<u32> {
    match value {
        Value::Number(n) if (1.0..=4.0).contains(n) => Some(*n as u32),
        _ => None,
    }
}
