//! Findings of `howcome state`, and runs that end with them.

use super::*;

fn source(first: u64, here: u64, lines: &[&str]) -> Value {
    let line = |(line, text): (u64, &&str)| match line == here {
        true => json!({"line": line, "text": text, "here": true}),
        false => json!({"line": line, "text": text}),
    };
    (first..).zip(lines).map(line).collect()
}

/// The sorting program of the paper, which forgets that `argv` starts with its name.
pub fn sample() -> Value {
    json!({
        "program": "./sample", "failing_run": "./sample 9 8 7 6 5", "passing_run": "./sample 9 8 7 6 5 4",
        "outcome": {"passing": "the output starts with \"4\"", "failing": "the output starts with \"0\""},
        "chain": [
            {
                "location": {"function": "main", "file": "sample.c", "line": 31, "hit": 1},
                "causes": [{"variable": "argc", "failing": "6", "passing": "7", "kind": "changed",
                            "alone_fails": true, "without_passes": true}],
                "vertices": 26, "edges": 26, "deltas": 12, "dropped": 0, "tests": 4, "relevant": 1, "reversed": false,
                "source": source(29, 31, &["int main(int argc, char *argv[])", "{", "    int i = 0;"]),
                "graph": {
                    "vertices": [
                        {"id": 0, "name": "main", "value": ""},
                        {"id": 1, "name": "argc", "value": "6", "passing": "7", "differs": true, "cause": true},
                        {"id": 2, "name": "argv", "value": "0x7ffe40"},
                        {"id": 3, "name": "argv[5]", "value": "\"5\""},
                        {"id": 4, "name": "argv[6]", "value": "0x0", "passing": "\"4\"", "differs": true},
                        {"id": 5, "name": "i", "value": "0"},
                    ],
                    "edges": [
                        {"from": 0, "to": 1, "label": "argc"}, {"from": 0, "to": 2, "label": "argv"},
                        {"from": 0, "to": 5, "label": "i"}, {"from": 2, "to": 3, "label": "[5]"},
                        {"from": 2, "to": 4, "label": "[6]"},
                    ],
                },
            },
            {
                "location": {"function": "shell_sort", "file": "sample.c", "line": 9, "hit": 1},
                "causes": [{"variable": "v[5]", "failing": "0", "passing": "4", "kind": "changed",
                            "alone_fails": true, "without_passes": true}],
                "vertices": 42, "edges": 44, "deltas": 7, "dropped": 0, "tests": 7, "relevant": 1, "reversed": false,
                "source": source(7, 9, &["{", "    int i, j;", "    int h = 1;", "", "    do {"]),
                "graph": {
                    "vertices": [
                        {"id": 0, "name": "v[5]", "value": "0", "passing": "4", "differs": true, "cause": true},
                        {"id": 1, "name": "*v", "value": "int[6]"},
                        {"id": 2, "name": "v[4]", "value": "5"},
                        {"id": 3, "name": "v", "value": "0x4a2c0"},
                        {"id": 4, "name": "size", "value": "6", "passing": "7", "differs": true},
                        {"id": 5, "name": "shell_sort", "value": ""},
                        {"id": 6, "name": "main: a", "value": "0x4a2c0"},
                    ],
                    "edges": [
                        {"from": 1, "to": 0, "label": "[5]"}, {"from": 1, "to": 2, "label": "[4]"},
                        {"from": 3, "to": 1, "label": "*"}, {"from": 5, "to": 3, "label": "v"},
                        {"from": 5, "to": 4, "label": "size"}, {"from": 6, "to": 1, "label": "*"},
                    ],
                },
            },
        ],
        "skipped": [],
        "transitions": [{
            "from": "argc", "to": "v[5]", "likely": true,
            "between": [{"file": "sample.c", "line": 35, "function": "main"}, {"file": "sample.c", "line": 9, "function": "shell_sort"}],
            "source": source(34, 35, &["        a[i] = atoi(argv[i + 1]);", "    shell_sort(a, argc);", ""]),
        }],
    })
}

/// A compiler that comes into a loop: a longer chain, of which not everything was confirmed.
pub fn compiler() -> Value {
    let at = |function: &str, file: &str, line: u64, hit: u64| {
        let name = file.rsplit('/').next();
        json!({"function": function, "file": name, "path": file, "line": line, "hit": hit})
    };
    json!({
        "program": "./cc1", "failing_run": "./cc1 -O fail.i", "passing_run": "./cc1 -O pass.i",
        "outcome": {"failing": "it ends with signal 11 in if_then_else_cond", "passing": "it ends with status 0"},
        "chain": [
            {
                "location": at("main", "src/toplev.c", 4755, 1),
                "causes": [{"variable": "argv[2]", "failing": "\"fail.i\"", "passing": "\"pass.i\"", "kind": "changed",
                            "alone_fails": true, "without_passes": true}],
                "vertices": 27139, "edges": 27159, "deltas": 1, "dropped": 0, "tests": 0, "relevant": 1,
            },
            {
                "location": at("combine_instructions", "src/combine.c", 1758, 3),
                "causes": [
                    {"variable": "first_loop_store_insn->fld[1].rtx->fld[1].rtx->fld[3].rtx->fld[1].rtx",
                     "failing": "(rtx) 0x81fc4e4", "passing": "0x0", "kind": "created", "alone_fails": true, "without_passes": false},
                    {"variable": "uid_cuid[47]", "failing": "12", "passing": "11", "kind": "changed",
                     "alone_fails": false, "without_passes": null},
                ],
                "vertices": 42991, "edges": 44290, "deltas": 871, "dropped": 14, "tests": 44, "relevant": 2,
            },
            {
                "location": at("if_then_else_cond", "src/combine.c", 6788, 1),
                "causes": [{"variable": "link->fld[0].rtx", "failing": "link", "passing": "i1dest", "kind": "redirected",
                            "alone_fails": true, "without_passes": true}],
                "vertices": 47071, "edges": 48473, "deltas": 1224, "dropped": 31, "tests": 15, "relevant": 1, "reversed": true,
                "source": source(6786, 6788, &["\trtx cond0, cond1;", "", "\tif (code == <MULT> && \"a & b\")"]),
                "graph": cycle(),
            },
        ],
        "skipped": [
            {"location": at("yyparse", "src/parse.y", 300, 1), "why": "not transferable here: all differences together do not fail"},
            {"location": at("exit", "", 0, 2), "why": "the outcome was decided before"},
        ],
        "transitions": [
            {"from": "argv[2]", "to": "…->fld[1].rtx",
             "between": [at("combine_instructions", "src/combine.c", 4011, 1), at("combine_instructions", "src/combine.c", 4013, 1)],
             "source": source(4011, 4013, &["    x = XEXP (x, 0);", "    y = <none>;", "    return gen (x);"])},
            {"from": "…->fld[1].rtx", "to": "link->fld[0].rtx", "likely": true,
             "between": [at("apply", "src/combine.c", 4271, 1), at("if_then_else_cond", "src/combine.c", 6788, 1)]},
        ],
    })
}

/// A tree whose last leaf leads back to its root.
pub fn cycle() -> Value {
    json!({
        "vertices": [
            {"id": 10, "name": "x", "value": "(rtx) 0x81fc400"},
            {"id": 11, "name": "*x", "value": "PLUS"},
            {"id": 12, "name": "link", "value": "MULT", "passing": "REG", "differs": true},
            {"id": 13, "name": "link->fld[0].rtx", "value": "link", "passing": "i1dest", "differs": true, "cause": true},
            {"id": 14, "name": "link->fld[1].rtx", "value": "CONST_INT 2"},
            {"id": 15, "name": "i1dest", "value": "REG"},
            {"id": 16, "name": "x->fld[1].rtx", "value": "REG <7>"},
        ],
        "edges": [
            {"from": 10, "to": 11, "label": "*"}, {"from": 11, "to": 12, "label": "fld[0]"},
            {"from": 11, "to": 16, "label": "fld[1]"}, {"from": 12, "to": 13, "label": "fld[0]"},
            {"from": 12, "to": 14, "label": "fld[1]"}, {"from": 13, "to": 12, "label": "*"},
            {"from": 10, "to": 15, "label": "dest"}, {"from": 16, "to": 16, "label": "self"},
            {"from": 14, "to": 99, "label": "to nowhere"},
        ],
    })
}

/// A chain of many places, with a graph that is too large to be drawn in whole.
pub fn many() -> Value {
    let vertices: Vec<Value> = (0..90)
        .map(|id| {
            let value = format!("\"{}\"", "long ".repeat(id % 7));
            json!({"id": id, "name": format!("table->row[{}].next->cell[{id}]", id / 9), "value": value,
                   "passing": "0x0", "differs": id % 5 == 0, "cause": id == 17})
        })
        .collect();
    let edges: Vec<Value> = (1..90_u64)
        .flat_map(|id| {
            [
                json!({"from": id * 2 / 5, "to": id, "label": format!("[{id}]")}),
                json!({"from": id, "to": id / 7, "label": "up"}),
            ]
        })
        .take(140)
        .collect();
    let step = |line: u64| {
        let mut step = compiler()["chain"][2].clone();
        step["location"]["line"] = line.into();
        step["graph"] = json!({"vertices": vertices, "edges": edges});
        step
    };
    let skipped = |line: u64| json!({"location": {"function": "eval", "file": "eval.c", "line": line}, "why": "not reached"});
    let mut finding = compiler();
    finding["chain"] = (1..=12).map(step).collect();
    finding["skipped"] = (1..=40).map(skipped).collect();
    finding
}

/// A search at each of two places.
pub fn places() -> Journal {
    Journal::opened()
        .stage(0, "main (sample.c:31)", 12, "difference")
        .observe(0, Purpose::BaselineFailing, "1-12", Fail, Because::Exit(0))
        .observe(0, Purpose::BaselinePassing, "-", Pass, OK)
        .tested(Step::Subset, "1-6", Fail, OK, 6)
        .tested(Step::Subset, "1-3", Fail, OK, 3)
        .tested(Step::Subset, "1", Fail, OK, 1)
        .stage(1, "shell_sort (sample.c:9)", 7, "difference")
        .tested(Step::Subset, "1-3", Pass, OK, 4)
        .tested(Step::Subset, "1-5", Unresolved, SEGV, 4)
        .tested(Step::Subset, "1-4", Fail, OK, 1)
}

/// A run that ends with a chain.
pub fn ended_with(ending: Ending, finding: Value) -> Summary {
    let conclusion = Conclusion {
        finding: serde_json::from_value(finding).unwrap(),
        minimal: Minimal::new(howcome_run::Unit::Variable, ending == Ending::Found),
        verified: Verified { alone_fails: Some(true), without_passes: Some(false) },
        confidence: None,
    };
    let entries = places().ended(ending, Some(conclusion), None, 1.25).entries;
    let run = RunFile {
        question: howcome_run::QuestionName::State,
        algorithm: howcome_run::Algorithm::Isolate.into(),
        ..run_file()
    };
    Summary::of(&run, Path::new("howcome.out/20260301-state"), &entries)
}

/// A run that found a chain.
pub fn found_chain(finding: Value) -> Summary {
    ended_with(Ending::Found, finding)
}
