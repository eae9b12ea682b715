//! What people read about a cause-effect chain.
#![allow(clippy::unwrap_used)]

mod journal;

use howcome_report::{Summary, annotations, graph_svg, html, json, markdown, sarif};
use howcome_run::{Ending, GraphPart};
use insta::assert_snapshot;
use journal::changes::with;
use journal::state::*;
use journal::*;
use serde_json::{Value, json};
use std::collections::HashSet;

#[test]
fn the_chain_reads_like_a_sentence() {
    assert_snapshot!(text(&found_chain(sample())));
}

#[test]
fn a_longer_chain_says_what_was_not_confirmed_and_what_was_skipped() {
    assert_snapshot!(text(&ended_with(Ending::Stopped, compiler())));
}

#[test]
fn a_chain_is_a_table_in_markdown() {
    let markdown = markdown(&found_chain(compiler()));
    assert_snapshot!(markdown.split("\n- **alone**").next().unwrap());
}

#[test]
fn the_graph_is_drawn_from_left_to_right() {
    let page = html(&ended_with(Ending::Stopped, compiler()));
    let begin = page.find(r#"<svg class="howcome-graph""#).unwrap();
    let end = begin + page[begin..].find("</svg>").unwrap();
    assert_snapshot!(&page[begin..end]);
}

#[test]
fn json_hands_the_finding_through() {
    let object: Value = serde_json::from_str(&json(&found_chain(sample())).unwrap()).unwrap();
    assert_eq!(object["finding"], sample());
    assert_eq!(object["question"], "state");
}

#[test]
fn without_a_place_that_could_be_narrowed_down_the_reasons_are_the_answer() {
    let command = "howcome state --fail './cc1 -O fail.i' --every-function";
    let advice = json!([{"purpose": "look at every function", "command": command}]);
    let none = with(compiler(), json!({"chain": [], "transitions": [], "advice": advice}));
    let told = text(&ended_with(Ending::Undecided, none.clone()));
    assert!(
        told.starts_with(
            "Undecided: no deciding variable was found in ./cc1 -O fail.i.\n\nFailing run: it ends"
        ),
        "{told}"
    );
    assert!(!told.contains("minimal") && !told.contains("--before"));
    assert!(told.contains("look at every function") && told.contains(command), "{told}");
    let object: Value = serde_json::from_str(&json(&found_chain(none.clone())).unwrap()).unwrap();
    assert_eq!(object["verified"], json!({"alone_fails": null, "without_passes": null}));
    let page = html(&found_chain(none));
    assert!(page.contains("Undecided: no deciding variable was found in ./cc1 -O fail.i."));
    assert!(page.contains(">undecided</span>") && !page.contains(">found</span>"));
    assert!(page.contains("the outcome was decided before") && !page.contains("<ol class=\"chain\">"));
}

#[test]
fn the_page_shows_each_step_with_its_proof_and_how_to_ask_on() {
    let page = html(&found_chain(compiler()));
    for step in 1..=3 {
        assert!(page.contains(&format!("howcome show howcome.out/20260301-state --before {step}</code>")));
    }
    assert_eq!(page.matches("<div class=\"cause\">").count(), 4);
    assert_eq!(page.matches("<li class=\"open\">").count(), 3);
    assert_eq!(page.matches("<li class=\"shown\">").count(), 5);
    assert!(page.contains(
        r#"<mark data-line="6788">    if (code == &lt;MULT&gt; &amp;&amp; &quot;a &amp; b&quot;)</mark>"#
    ));
    assert_eq!(page.matches("The first place to look at").count(), 2);
    assert!(page.contains(r#"<td class="n">48,473</td><td class="n">1,224</td><td class="n">31</td>"#));
    // What has its place in the chain is not said again below it.
    assert_eq!(page.matches("Skipped yyparse").count(), 0);
}

#[test]
fn a_step_without_a_way_back_offers_none_and_the_common_part_of_the_graphs_is_a_number() {
    let mut finding = compiler();
    let steps = finding["chain"].as_array_mut().unwrap();
    steps[0]["common"] = json!(26_100);
    steps[2]["no_way_back"] = json!(true);
    let summary = found_chain(finding);
    let page = html(&summary);
    assert!(page.contains(r#"<th class="n" scope="col">common</th>"#));
    assert!(page.contains(r#"<td class="n">27,159</td><td class="n">26,100</td><td class="n">1</td>"#));
    assert!(page.contains(r#"<td class="n">48,473</td><td class="n">–</td><td class="n">1,224</td>"#));
    assert!(page.contains("--before 2</code>") && !page.contains("--before 3"));
}

#[test]
fn what_is_too_much_for_a_page_is_folded_or_counted() {
    let summary = found_chain(many());
    let page = html(&summary);
    assert!(page.contains("<details>\n<summary>The memory graph around it"));
    assert!(page.contains("62 vertices not shown"));
    assert!(page.contains("<summary>40 places at which nothing was found</summary>"));
    let told = text(&summary);
    assert!(told.contains("\nSkipped 40 places (eval): not reached.\n"));
    assert!(
        told.contains(
            "\n    … and the same at 11 places up to if_then_else_cond (combine.c:12); 165 tests\n"
        )
    );
    assert!(page.contains("<summary>the same at 10 places in between</summary>"));
    assert!(markdown(&summary).contains("\n| 2–12 | … and the same at 11 places up to "));
}

#[test]
fn every_element_of_the_page_is_closed_and_every_name_is_its_own() {
    for finding in [sample(), compiler(), many(), hostile()] {
        let page = html(&found_chain(finding));
        assert_eq!(first_unbalanced(&page), None);
        let ids: Vec<&str> =
            page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert_eq!(ids.len(), ids.iter().collect::<HashSet<_>>().len(), "{ids:?}");
        for target in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(ids.contains(&target), "{target}");
        }
        let links = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!links.contains("http") && !links.contains("src=") && !links.contains("url("));
    }
}

/// The first end of an element that is not the end of the one that was begun last.
fn first_unbalanced(page: &str) -> Option<String> {
    let mut open = Vec::new();
    let body = &page[page.find("<body>")?..];
    for tag in body.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let name = tag.split([' ', '\n', '/']).next().unwrap();
        match tag.strip_prefix('/') {
            Some("html") => {}
            Some(name) if open.last() == Some(&name) => _ = open.pop(),
            Some(name) => return Some(format!("{name} within {open:?}")),
            None if tag.ends_with('/') || name == "br" => {}
            // What a picture brings along is no element of ours.
            None => open.push(name),
        }
    }
    open.pop().map(str::to_owned)
}

fn hostile() -> Value {
    let evil = "</script><script>alert(1)</script>\u{1b}[2J|`@everyone\"'\n# \u{202e}";
    let location = json!({"function": evil, "file": evil, "line": 3, "hit": 2});
    let line = json!({"line": 3, "text": evil, "here": true});
    let cause = json!({"variable": evil, "failing": evil, "passing": evil, "kind": evil});
    json!({
        "program": evil, "failing_run": evil, "passing_run": evil, "outcome": {"failing": evil, "passing": evil},
        "chain": [{
            "location": location, "causes": [cause], "source": [line],
            "graph": {"vertices": [{"id": 1, "name": evil, "value": evil, "passing": evil, "differs": true, "cause": true}],
                      "edges": [{"from": 1, "to": 1, "label": evil}]},
        }],
        "skipped": [{"location": location, "why": evil}],
        "transitions": [{"from": evil, "to": evil, "between": [location], "source": [line]}],
    })
}

#[test]
fn nothing_in_a_state_becomes_markup_or_talks_to_the_terminal() {
    let summary = found_chain(hostile());
    let page = html(&summary);
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"));
    let markdown = markdown(&summary);
    let row = markdown.lines().find(|line| line.starts_with("| 1 |")).unwrap();
    // The ends of six cells, however many bars there are in them.
    assert_eq!(row.replace("\\|", "").matches('|').count(), 7, "{row}");
    for form in [page, markdown, text(&summary), annotations(&summary)] {
        assert!(!form.contains('\x1b') && !form.contains('\u{202e}'));
    }
    assert_eq!(annotations(&summary).lines().count(), 1);
}

fn results(summary: &Summary) -> Vec<Value> {
    let log: Value = serde_json::from_str(&sarif(summary)).unwrap();
    let rule = &log["runs"][0]["tool"]["driver"]["rules"][0]["id"];
    let results = log["runs"][0]["results"].as_array().unwrap().clone();
    assert!(results.iter().all(|result| result["ruleId"] == *rule));
    results
}

#[test]
fn a_transition_is_a_result_with_the_chain_as_the_way_to_it() {
    let results = results(&found_chain(compiler()));
    let [first, second] = results.as_slice() else { panic!("two transitions") };
    assert_eq!((&first["ruleId"], &first["level"]), (&json!("cause-transition"), &json!("note")));
    assert_eq!(second["level"], "error");
    let place = &first["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "src/combine.c");
    assert_eq!((&place["region"]["startLine"], &place["region"]["endLine"]), (&json!(4011), &json!(4013)));
    let other = &second["relatedLocations"][0]["physicalLocation"]["region"]["startLine"];
    assert_eq!(
        (&second["locations"][0]["physicalLocation"]["region"]["endLine"], other),
        (&json!(4271), &json!(6788))
    );
    let way = first["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    assert_eq!(way.len(), 3);
    assert_eq!(
        way[0]["location"]["message"]["text"],
        "at main: argv[2] = \"fail.i\" (instead of \"pass.i\")"
    );
}

#[test]
fn without_a_transition_the_last_place_is_the_result() {
    let summary = ended_with(Ending::Stopped, with(sample(), json!({"transitions": []})));
    let results = results(&summary);
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["level"], "warning");
    assert_eq!(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 9);
    assert_eq!(
        annotations(&summary),
        "::warning file=sample.c,line=9,endLine=9,title=howcome%3A the cause here::Here v[5] = 0 (instead of 4) \
         decides: therefore the output starts with \"0\".%0A    int h = 1;\n"
    );
}

#[test]
fn a_graph_of_its_own_file_has_every_vertex_and_its_style() {
    let vertex = |id: u64| json!({"id": id, "name": format!("list[{id}]"), "value": "<1>", "differs": id == 3, "cause": id == 3});
    let edges: Vec<Value> =
        (1..20_000).map(|id| json!({"from": id - 1, "to": id, "label": ".next"})).collect();
    let json = json!({"vertices": (0..20_000).map(vertex).collect::<Vec<_>>(), "edges": edges});
    let svg = graph_svg(&serde_json::from_value(json).unwrap(), 7);
    assert!(svg.contains("<style>") && svg.contains("≠ list[3]") && svg.contains("7 vertices not shown"));
    assert_eq!(
        svg.matches("list[").count(),
        2 * 20_000 + 1,
        "in its box, in its title, and the cause in that of the drawing"
    );
    assert_eq!(svg.matches("<svg").count(), 1);
    assert!(graph_svg(&GraphPart::default(), 0).ends_with("</svg>\n"));
}
