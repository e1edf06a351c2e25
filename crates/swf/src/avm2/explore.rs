//! Which executions are tried, and in which order.

use super::catalogue::Catalogue;
use super::domain::Domain;
use super::machine::Machine;
use super::path::{Edge, Path};
use super::relevant;
use super::state::State;
use super::value::{Closure, Function, Id, Kind, Value};
use std::collections::VecDeque;
use std::rc::Rc;

/// Instructions that all executions of a SWF may run.
pub(crate) const STEPS: u64 = 12_000_000;
/// Instructions that one execution may run.
const STEPS_PER_PATH: u64 = 200_000;
/// Executions of one method.
const PATHS: usize = 64;
/// Executions of one method after the last that showed a program.
const PATIENCE: usize = 10;

/// What is executed.
#[derive(Clone, Debug)]
enum Entry {
    /// The construction of an object of a class.
    Construct(usize),
    /// A method of an object.
    Call(Closure),
}

/// The programs that the byte code shows, and whether its execution was complete within `fuel` instructions.
pub(crate) fn explore(domain: &Domain<'_>, fuel: u64) -> (Catalogue, bool) {
    let mut machine = Machine::new(domain, fuel.min(STEPS));
    let relevant = relevant::methods(domain);
    let mut classes: Vec<(usize, usize)> = Vec::new();
    for class in 0..domain.classes.len() {
        let own = own_methods(domain, class);
        if let Some(level) = own.iter().filter_map(|f| relevant.get(f)).min() {
            classes.push((*level, class));
        }
    }
    classes.retain(|(_, class)| !machine.is_assembler(*class));
    classes.sort_unstable();
    for level in 0..relevant::LEVELS {
        let near = relevant.iter().filter(|(_, l)| **l <= level).map(|(f, l)| (*f, *l)).collect();
        for (_, class) in classes.iter().filter(|(l, _)| *l <= level) {
            let (state, object) = construct(&mut machine, *class);
            let Some(object) = object else { continue };
            methods(&mut machine, *class, object, state, &near);
        }
    }
    let complete = machine.steps > 0;
    (machine.catalogue, complete)
}

/// The methods that a class declares.
fn own_methods(domain: &Domain<'_>, class: usize) -> Vec<Function> {
    let Some(of) = domain.classes.get(class) else { return Vec::new() };
    let declared = domain.files.get(of.abc).and_then(|f| f.classes.get(of.index));
    let fixed = declared.into_iter().flat_map(|c| [c.construct, c.start]);
    let members = of.members.values().chain(of.statics.values());
    let named = members.flat_map(|m| [m.method, m.getter, m.setter]).flatten();
    let mut list: Vec<Function> = fixed.chain(named).map(|method| Function { abc: of.abc, method }).collect();
    list.sort_unstable();
    list
}

/// Makes an object of a class; the state after it.
fn construct(machine: &mut Machine<'_, '_>, class: usize) -> (State, Option<Id>) {
    let (state, object) = paths(machine, &State::new(), &Entry::Construct(class));
    (state, object.and_then(|o| o.as_object()))
}

/// Runs the methods of an object that have to do with AGAL, twice, so that each finds what the others have set.
fn methods(
    machine: &mut Machine<'_, '_>,
    class: usize,
    object: Id,
    mut state: State,
    relevant: &std::collections::BTreeMap<Function, usize>,
) {
    let domain = machine.domain;
    let inherited: Vec<(usize, Function)> =
        domain.line(class).flat_map(|c| own_methods(domain, c).into_iter().map(move |f| (c, f))).collect();
    for _ in 0..2 {
        let before = (machine.catalogue.programs.len(), machine.catalogue.pairs.len());
        for (holder, function) in inherited.iter().filter(|(_, f)| relevant.contains_key(f)) {
            let Some((scopes, fixed)) = scopes(domain, *holder, *function, &state) else { continue };
            // An overridden method is reached through the one that overrides it.
            let this = if fixed { scopes.get(1).and_then(Value::as_object) } else { Some(object) };
            let closure = Closure { function: *function, scopes, this };
            state = paths(machine, &state, &Entry::Call(closure)).0;
        }
        if before == (machine.catalogue.programs.len(), machine.catalogue.pairs.len()) {
            break;
        }
    }
}

/// The scopes of a method, and whether it is static; `None` for constructors and initialisers.
fn scopes(
    domain: &Domain<'_>,
    class: usize,
    function: Function,
    state: &State,
) -> Option<(Rc<[Value]>, bool)> {
    let of = domain.classes.get(class)?;
    let is = |m: &super::domain::Members| [m.method, m.getter, m.setter].contains(&Some(function.method));
    let fixed = of.statics.values().any(is);
    if !fixed && !of.members.values().any(is) {
        return None;
    }
    let object = state.classes.get(&class)?;
    Some((Rc::new([Value::Object(super::state::GLOBALS), Value::Object(*object)]), fixed))
}

/// Executes an entry on all paths that are tried. Returns the state after the path that showed most, and its result.
fn paths(machine: &mut Machine<'_, '_>, base: &State, entry: &Entry) -> (State, Option<Value>) {
    let mut plans: VecDeque<(Vec<bool>, Option<Edge>)> = VecDeque::from([(Vec::new(), None)]);
    let mut best: Option<(usize, State, Option<Value>)> = None;
    let mut idle = 0;
    for _ in 0..PATHS {
        if idle >= PATIENCE {
            break;
        }
        // Outcomes that no execution has taken come first.
        let fresh = plans.iter().position(|(_, edge)| edge.is_none_or(|e| !machine.edges.contains(&e)));
        let Some((plan, _)) = plans.remove(fresh.unwrap_or(0)) else { break };
        machine.state = base.clone();
        machine.path = Path::new(plan);
        let work = STEPS_PER_PATH.min(machine.steps);
        if work == 0 {
            break;
        }
        machine.share = work;
        let before = machine.catalogue.programs.len() + machine.catalogue.pairs.len();
        let result = execute(machine, entry);
        // Copying the state is work, too.
        machine.steps -= (work - machine.share + 1 + base.size() as u64 / 8).min(machine.steps);
        plans.extend(machine.path.others().map(|(plan, edge)| (plan, Some(edge))));
        let shown = machine.catalogue.programs.len() + machine.catalogue.pairs.len() - before;
        idle = if shown > 0 { 0 } else { idle + 1 };
        let score = 2 * shown + usize::from(result.is_some());
        if best.as_ref().is_none_or(|(most, ..)| score > *most) {
            best = Some((score, machine.state.clone(), result));
        }
    }
    best.map_or_else(|| (base.clone(), None), |(_, state, result)| (state, result))
}

fn execute(machine: &mut Machine<'_, '_>, entry: &Entry) -> Option<Value> {
    let result = match entry {
        Entry::Construct(class) => {
            machine.class_object(*class).ok()?;
            let id = machine.state.add(Kind::Instance(Some(*class)));
            let arguments = unknowns(machine, constructor(machine.domain, *class));
            // An object whose construction ends early has what was set before.
            let _ = machine.construct_as(*class, Value::Object(id), arguments);
            Value::Object(id)
        }
        Entry::Call(closure) => {
            let arguments = unknowns(machine, Some(closure.function));
            let this = closure.this.map_or(Value::Undefined, Value::Object);
            machine.call(closure, this, arguments).ok()?
        }
    };
    // Functions after one that ends early are not called.
    let _ = machine.run_callbacks();
    Some(result)
}

fn constructor(domain: &Domain<'_>, class: usize) -> Option<Function> {
    let of = domain.classes.get(class)?;
    let method = domain.files.get(of.abc)?.classes.get(of.index)?.construct;
    Some(Function { abc: of.abc, method })
}

/// Arguments of which nothing is known.
fn unknowns(machine: &mut Machine<'_, '_>, function: Option<Function>) -> Vec<Value> {
    let method = function.and_then(|f| machine.domain.method(f));
    let count = method.map_or(0, |m| m.parameters.len());
    (0..count).map(|_| machine.state.unknown(None)).collect()
}
