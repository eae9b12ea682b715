//! Frames that are not plain calls: signals, calls to nowhere, optimised and inlined code.

#![allow(clippy::unwrap_used)]

#[path = "debug/built.rs"]
#[allow(dead_code)]
mod built;

use built::build;
use howcome_state::Address;
use howcome_state::debug::{Registers, Type};

const SIGNAL: &str = "
#include <signal.h>
#include <stdlib.h>
int got;
static void handler(int number) { got = number; }
static void poke(int *at) { int before = 5; *at = before; }
int main(void) {
    stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };
    struct sigaction action = { .sa_handler = handler, .sa_flags = FLAGS };
    sigaltstack(&stack, 0);
    sigaction(SIGUSR1, &action, 0);
    int local = 3;
    poke(&local);
    raise(SIGUSR1);
    return got - SIGUSR1;
}
";

#[test]
fn frames_below_a_signal_are_found() {
    for flags in ["0", "SA_ONSTACK"] {
        let command = format!("gcc -g -O0 -DFLAGS={flags} -o program {{}}");
        let Some(built) = build(SIGNAL, "c", &command) else { return };
        let stopped = built.stop_at("handler");
        let names = stopped.names();
        assert_eq!(names[0], "handler");
        let main =
            names.iter().position(|name| name == "main").unwrap_or_else(|| panic!("{flags}: {names:?}"));
        assert!(
            names[1..main].iter().any(|name| name.contains("raise") || name.contains("kill")),
            "{names:?}"
        );
        assert_eq!(stopped.number(&stopped.local(main, "local")), 5);
    }
}

#[test]
fn a_call_to_nowhere_still_has_a_caller() {
    let Some(built) = build(SIGNAL, "c", "gcc -g -O0 -DFLAGS=0 -o program {}") else { return };
    // As if the first instruction of `poke` were at the null pointer: the return address has just been pushed.
    let stopped = built.stop(&[], |program| program.symbol("poke").unwrap());
    let mut registers: Registers = stopped.frames[0].registers;
    registers.0[Registers::PROGRAM_COUNTER].as_mut().unwrap().value = 0;
    let frames = stopped.program.backtrace(&registers, &stopped.snapshot, 10);
    assert_eq!(frames[0].pc, Address(0));
    assert_eq!(frames[1..], stopped.frames[1..]);
    assert_eq!(stopped.program.backtrace(&registers, &stopped.snapshot, 1).len(), 1);
}

#[test]
fn saved_registers_are_where_they_were_saved() {
    let source = "
        __attribute__((noinline)) static int use(int *at) { asm volatile(\"\" : : : \"rbx\", \"r12\", \"r13\", \"memory\"); return *at; }
        int main(int argc, char **argv) {
            register long kept asm(\"r12\") = 1234;
            asm volatile(\"\" : \"+r\"(kept));
            int got = use(&argc);
            asm volatile(\"\" : \"+r\"(kept));
            return got - 1 + (kept != 1234);
        }";
    let Some(built) = build(source, "c", "gcc -g -O0 -o program {}") else { return };
    let stopped = built.stop_at("use");
    let kept = stopped.local(1, "kept");
    assert_eq!(stopped.number(&kept), 1234);
    assert_eq!(kept.at.register(), None, "it is on the stack of the callee");
    assert!(kept.at < stopped.frames[0].cfa);
    let r12 = stopped.frames[1].registers.0[12].unwrap();
    assert_eq!((r12.value, r12.at), (1234, kept.at));
    // A register that the convention does not preserve is unknown.
    assert_eq!(stopped.frames[1].registers.0[0], None);
}

const OPTIMISED: &str = "
#include <stdlib.h>
struct list { struct list *next; int value; };
static inline int twice(int number) { int doubled = number * 2; return doubled; }
__attribute__((noinline)) int sum(struct list *list, int limit) {
    int total = 0, unused = limit * 17;
    for (struct list *at = list; at; at = at->next) total += twice(at->value);
    return total > limit ? limit : total;
}
int main(int argc, char **argv) {
    struct list *list = 0;
    for (int i = 0; i < argc + 2; i++) { struct list *made = malloc(sizeof *made); made->next = list; made->value = i; list = made; }
    int got = sum(list, 100);
    free(list);
    return got - 6;
}
";

#[test]
fn optimised_programs_show_what_they_still_have() {
    for command in ["gcc -g -O2 -o program {}", "gcc -g -O1 -o program {}", "clang -g -O2 -o program {}"] {
        let Some(built) = build(OPTIMISED, "c", command) else { continue };
        eprintln!("{command}");
        let stopped = built.stop_at("sum");
        assert_eq!(stopped.names()[..2], ["sum", "main"]);
        let list = stopped.local(0, "list");
        assert!(list.at.register().is_some(), "{list:?}");
        assert_eq!(stopped.number(&stopped.local(0, "limit")), 100);
        let Type::Pointer { to, .. } = &*stopped.program.ty(list.ty) else { panic!() };
        assert_eq!(stopped.program.size(*to), 16);
        let first = stopped.number(&list);
        assert_eq!(stopped.snapshot.number(Address(first + 8), 4), Some(2));
        let lost = stopped.program.lost_locals(&stopped.frames[0], &stopped.snapshot);
        assert!(lost > 0, "what is not used has no place");
    }
}

#[test]
fn locals_of_inlined_calls_are_seen() {
    let source = OPTIMISED.replace("int doubled = number * 2;", "volatile int doubled = number * 2;");
    for command in ["gcc -g -O2 -o program {}", "clang -g -O2 -o program {}"] {
        let Some(built) = build(&source, "c", command) else { continue };
        eprintln!("{command}");
        let stopped = built.stop(&[], |program| program.addresses_of_line("program.c", 4)[0]);
        assert_eq!(stopped.names()[0], "sum");
        let names: Vec<String> = stopped.locals(0).into_iter().map(|local| local.name).collect();
        assert!(names.contains(&"doubled".to_owned()), "{names:?}");
        assert!(
            names.iter().position(|name| name == "doubled") < names.iter().position(|name| name == "limit")
        );
    }
}
