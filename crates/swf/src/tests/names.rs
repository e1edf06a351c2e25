//! Names of properties, in all forms that byte code has for them.

use super::results::{Given::Number as N, Given::Text as T, byte, object, says};
use super::writer::{POP, Writer, op};

/// Each form states the namespace or a set of them, and the name; what it does not state is on the stack.
#[test]
fn a_name_takes_from_the_stack_what_it_does_not_state() {
    type Entry = fn(&mut Writer) -> Vec<u32>;
    let name: Entry = |w| vec![w.string("a")];
    let forms: [(&str, [u32; 2], Entry, bool, bool); 6] = [
        ("QName", [0x07, 0x0d], |w| vec![1, w.string("a")], false, false),
        ("RTQName", [0x0f, 0x10], name, true, false),
        ("RTQNameL", [0x11, 0x12], |_| vec![], true, true),
        ("Multiname", [0x09, 0x0e], |w| vec![w.string("a"), 1], false, false),
        ("MultinameL", [0x1b, 0x1c], |_| vec![1], false, true),
        ("TypeName", [0x1d, 0x1d], |w| vec![w.name("a"), 1, 0], false, false),
    ];
    for (form, kinds, states, late_space, late_name) in forms {
        for kind in kinds {
            says(&format!("{form}, {kind:#x}"), "3x", |w| {
                let stated = states(w);
                let name = w.entry(op(kind as u8, &stated));
                let mut code = [byte(3), object(w, &[T("a"), T("x")])].concat();
                if late_space {
                    code.extend(op(0x31, &[1]));
                }
                if late_name {
                    code.extend(w.push("a"));
                }
                [code, op(0x66, &[name]), vec![0xa0]].concat()
            });
        }
    }
}

/// Number 0 is any name, and takes nothing from the stack.
#[test]
fn any_name_is_stated() {
    says("getdescendants", "3", |w| [byte(3), object(w, &[N(1), N(2)]), op(0x59, &[0]), vec![POP]].concat());
}
