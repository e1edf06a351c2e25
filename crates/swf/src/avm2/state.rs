//! The state of an execution: objects, and what is assumed of unknown values.

use super::value::{Closure, Id, Kind, Object, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The objects of an execution, and the assumptions about values that are not known.
#[derive(Clone, Debug)]
pub(crate) struct State {
    heap: Vec<Rc<Object>>,
    /// The object of each class that has been used.
    pub(crate) classes: BTreeMap<usize, Id>,
    /// Scripts that have run.
    pub(crate) scripts: BTreeSet<(usize, usize)>,
    /// Classes of the player that have been used.
    player: HashMap<Rc<str>, Id>,
    /// Unknown values that are taken as true or false.
    pub(crate) facts: HashMap<Id, bool>,
    /// Unknown values that are taken as equal to a known value.
    equal: HashMap<Id, Value>,
    /// Results of operations on unknown values: the same operands give the same result.
    derived: HashMap<(Operation, Operand, Operand), Id>,
    /// Comparisons of an unknown with a known value.
    compared: HashMap<Id, (Id, Value)>,
    /// Functions that were passed to the player.
    pub(crate) callbacks: Vec<Closure>,
}

/// An operation whose result is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Equal,
    Less,
    Is,
    Other(u8),
}

/// A value as a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Operand {
    Plain(u8),
    Bits(u64),
    Text(String),
    Object(Id),
}

impl Operand {
    fn of(value: &Value) -> Operand {
        match value {
            Value::Undefined => Operand::Plain(0),
            Value::Null => Operand::Plain(1),
            Value::Bool(b) => Operand::Plain(2 + u8::from(*b)),
            Value::Number(n) => Operand::Bits(n.to_bits()),
            Value::Text(text) => Operand::Text(text.text.clone()),
            Value::Object(id) => Operand::Object(*id),
        }
    }
}

/// The object of everything that scripts declare.
pub(crate) const GLOBALS: Id = 0;

/// Most objects of one execution.
const MAX_OBJECTS: usize = 1 << 16;

impl State {
    pub(crate) fn new() -> State {
        let mut state = State {
            heap: Vec::new(),
            classes: BTreeMap::new(),
            scripts: BTreeSet::new(),
            player: HashMap::new(),
            facts: HashMap::new(),
            equal: HashMap::new(),
            derived: HashMap::new(),
            compared: HashMap::new(),
            callbacks: Vec::new(),
        };
        state.add(Kind::Globals);
        state
    }

    /// The number of objects.
    pub(crate) fn size(&self) -> usize {
        self.heap.len()
    }

    /// Whether there is room for more objects.
    pub(crate) fn full(&self) -> bool {
        self.heap.len() >= MAX_OBJECTS
    }

    pub(crate) fn add(&mut self, kind: Kind) -> Id {
        self.heap.push(Rc::new(Object { kind, properties: BTreeMap::new() }));
        (self.heap.len() - 1) as Id
    }

    pub(crate) fn object(&mut self, kind: Kind) -> Value {
        Value::Object(self.add(kind))
    }

    /// A value of which at most the class is known.
    pub(crate) fn unknown(&mut self, class: Option<usize>) -> Value {
        self.object(Kind::Unknown(class))
    }

    pub(crate) fn kind(&self, id: Id) -> &Kind {
        self.heap.get(id as usize).map_or(&Kind::Unknown(None), |o| &o.kind)
    }

    pub(crate) fn kind_mut(&mut self, id: Id) -> Option<&mut Kind> {
        self.heap.get_mut(id as usize).map(|o| &mut Rc::make_mut(o).kind)
    }

    pub(crate) fn property(&self, id: Id, name: &str) -> Option<Value> {
        self.heap.get(id as usize)?.properties.get(name).cloned()
    }

    /// The names of the properties that an object has been given.
    pub(crate) fn names(&self, id: Id) -> impl Iterator<Item = &Rc<str>> {
        self.heap.get(id as usize).into_iter().flat_map(|o| o.properties.keys())
    }

    pub(crate) fn set(&mut self, id: Id, name: Rc<str>, value: Value) {
        if let Some(object) = self.heap.get_mut(id as usize) {
            Rc::make_mut(object).properties.insert(name, value);
        }
    }

    pub(crate) fn remove(&mut self, id: Id, name: &str) {
        if let Some(object) = self.heap.get_mut(id as usize) {
            Rc::make_mut(object).properties.remove(name);
        }
    }

    /// A class of the player.
    pub(crate) fn player(&mut self, name: &Rc<str>) -> Value {
        if let Some(id) = self.player.get(name) {
            return Value::Object(*id);
        }
        let id = self.add(Kind::Player(Rc::clone(name)));
        self.player.insert(Rc::clone(name), id);
        Value::Object(id)
    }

    /// A value, or the known one that it is taken as equal to.
    pub(crate) fn settle(&self, value: Value) -> Value {
        match value {
            Value::Object(id) => self.equal.get(&id).cloned().unwrap_or(value),
            known => known,
        }
    }

    /// Whether nothing but the class of a value is known.
    pub(crate) fn is_unknown(&self, value: &Value) -> bool {
        value.as_object().is_some_and(|id| matches!(self.kind(id), Kind::Unknown(_) | Kind::Not(_)))
    }

    /// The result of an operation whose operands are not known.
    pub(crate) fn derive(&mut self, operation: Operation, a: &Value, b: &Value) -> Value {
        let key = (operation, Operand::of(a), Operand::of(b));
        if let Some(id) = self.derived.get(&key) {
            return Value::Object(*id);
        }
        let id = self.add(Kind::Unknown(None));
        self.derived.insert(key, id);
        if operation == Operation::Equal {
            match (a, b) {
                (Value::Object(of), known) | (known, Value::Object(of)) if known.as_object().is_none() => {
                    self.compared.insert(id, (*of, known.clone()));
                }
                _ => {}
            }
        }
        Value::Object(id)
    }

    /// Whether a value converts to true; the object whose value decides if it is not known.
    pub(crate) fn truth(&self, value: &Value) -> Result<bool, (Id, bool)> {
        Ok(match value {
            Value::Undefined | Value::Null => false,
            Value::Bool(b) => *b,
            Value::Number(n) => *n != 0.0 && !n.is_nan(),
            Value::Text(text) => !text.text.is_empty(),
            Value::Object(id) => {
                let (mut id, mut sense) = (*id, true);
                // Negations are not nested: `negate` removes them in pairs.
                if let Kind::Not(of) = self.kind(id) {
                    (id, sense) = (*of, false);
                }
                match (self.facts.get(&id), self.kind(id)) {
                    (Some(fact), _) => *fact == sense,
                    (None, Kind::Unknown(_)) => return Err((id, sense)),
                    _ => sense,
                }
            }
        })
    }

    /// The negation of a value.
    pub(crate) fn negate(&mut self, value: &Value) -> Value {
        match (self.truth(value), value) {
            (Ok(truth), _) => Value::Bool(!truth),
            (Err((of, false)), _) => Value::Object(of),
            (Err((of, true)), _) => self.object(Kind::Not(of)),
        }
    }

    /// Takes an unknown value as true or false.
    pub(crate) fn assume(&mut self, id: Id, truth: bool) {
        self.facts.insert(id, truth);
        if let (true, Some((of, known))) = (truth, self.compared.get(&id).cloned()) {
            self.equal.insert(of, known);
        }
    }
}
