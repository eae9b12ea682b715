//! The program in shell: it adds up, counts and lists numbers. A build puts it together and checks that it can be read.

use super::plan::Region;
use super::source::{Files, Share, Source};
use super::version::Version;

pub const BUILD: &str = "sh build";

pub fn files(version: &Version) -> Files {
    // With a driver the option was always there, and the feature is the check.
    let (sum, check) = match version.driver {
        true => (Share::Whole, Some(version.feature)),
        false => (version.feature, None),
    };
    let source = || Source::new(|remark| format!("# {remark}"), version.notes);
    let mut files = Files::from([
        ("build".to_owned(), build(source())),
        ("lib/options.sh".to_owned(), options(source(), version, sum)),
        ("lib/compute.sh".to_owned(), compute(source(), version, sum)),
        ("lib/format.sh".to_owned(), format(source(), version)),
        ("lib/main.sh".to_owned(), main(source())),
    ]);
    if let Some(check) = check {
        files.insert("driver.sh".to_owned(), driver(source(), check));
    }
    files
}

fn build(mut source: Source) -> String {
    source.lines("# Puts the program together, and looks whether it can be read.");
    source.lines("set -e").lines("mkdir -p out");
    source.lines("cat lib/options.sh lib/compute.sh lib/format.sh lib/main.sh >out/tally");
    source.lines("sh -n out/tally").text()
}

fn options(mut source: Source, version: &Version, sum: Share) -> String {
    let second = version.second_feature.unwrap_or(Share::Nothing);
    source.lines("# What the words of the command line mean.").note(0);
    source.lines("usage() {");
    source.lines("    echo \"usage: tally [option]... [number]...\" >&2");
    source.lines("    echo \"  --list   the numbers as they are\" >&2");
    source.beside(sum, "    echo \"  --sum    all of them together\" >&2");
    source.lines("    echo \"  --count  how many there are\" >&2").note(1);
    source.beside(second, "    echo \"  --quiet  without words\" >&2");
    source.lines("    exit 2\n}\n").note(2);
    source.lines("mode=list\nwords=yes\nnumbers=\n");
    source.lines("take() {").note(3).lines("    case $1 in\n    --help) usage ;;");
    source.either(version.region.is_some(), "    --list | -l) mode=list ;;", "    --list) mode=list ;;");
    source.needed(sum, "    --sum) mode=sum ;;");
    let around = version.region == Some(Region::Around);
    source.either(around, "    --count | -c) mode=count ;;", "    --count) mode=count ;;").note(4);
    source.lines("    --first) mode=first ;;\n    --all) mode=list ;;");
    source.needed(second, "    --quiet) words=no ;;");
    source.lines("    --verbose) words=yes ;;").note(5);
    source.lines("    -*) echo \"unknown option $1\" >&2; usage ;;");
    source.lines("    *) numbers=\"$numbers $1\" ;;\n    esac\n}").text()
}

fn compute(mut source: Source, version: &Version, sum: Share) -> String {
    source.lines("# What is made of the numbers.\n").note(6);
    let unit = match (version.cause, version.cause_rewritten) {
        (false, _) => "readonly unit=1",
        (true, false) => "readonly unit=2",
        (true, true) => "readonly unit=$((1 + 1))",
    };
    source.lines(unit).note(7).lines("\nlist() {\n    echo $numbers\n}\n");
    source.lines("count() {\n    set -- $numbers").note(8).lines("    say count $#\n}\n");
    source.needed(sum, "add_up() {\n    total=$bias");
    source.beside(sum, "    # Each number counts as often as the unit says.");
    source
        .needed(sum, "    for number in $numbers; do\n        total=$(($total + $number * $unit))\n    done");
    source.needed(sum, "    say total $total\n}");
    source.lines("first() {\n    set -- $numbers\n    say first $1\n}").note(9);
    source.lines("\nanswer() {").note(10).lines("    case $mode in\n    list) list ;;");
    source.needed(sum, "    sum) add_up ;;");
    source.lines("    count) count ;;").note(11).lines("    first) first ;;\n    esac\n}\n").note(12);
    source.either(version.second_cause, "readonly bias=6", "readonly bias=0").text()
}

fn format(mut source: Source, version: &Version) -> String {
    let second = version.second_feature.unwrap_or(Share::Nothing);
    source.lines("# How an answer is written.").note(13).lines("\nsay() {\n    answered=yes");
    source.needed(second, "    [ $words = yes ] || shift");
    source.lines("    echo \"$@\"\n}");
    if version.broken {
        source.lines("\nsay_more() {\n    if");
    }
    source.text()
}

fn main(mut source: Source) -> String {
    source.lines("# All of it.\nset -u").note(14);
    source.lines("for word in \"$@\"; do\n    take \"$word\"\ndone").note(15).lines("answer").text()
}

/// A script with a name that does not say that it checks, or every revision would have it. As in the figure of the paper: what is expected in one place, the call in another, and a result to begin with.
fn driver(mut source: Source, check: Share) -> String {
    source.lines("# Checks one thing that the program can do.\nexpected=\nresult=none\ncase $1 in");
    source.lines("list) expected=\"1 2 3\" ;;").needed(check, "sum) expected=\"total 6\" ;;");
    source.lines("count) expected=\"count 3\" ;;\nesac\n");
    source.lines("if [ -z \"$expected\" ]; then\n    echo \"no check is named $1\" >&2\n    exit 2\nfi\n");
    source.lines("case $1 in\nlist) result=$(sh out/tally --list 1 2 3) ;;");
    source.needed(check, "sum) result=$(sh out/tally --sum 1 2 3) ;;");
    source.lines("count) result=$(sh out/tally --count 1 2 3) ;;\nesac\n");
    source.beside(check, "echo \"$1: $result\"");
    source.lines("[ \"$result\" = \"$expected\" ]").text()
}

/// The test as somebody would write it, outside of the repository.
pub fn test(driver: bool, quiet: bool) -> String {
    if driver {
        return "#!/bin/sh\nexec sh driver.sh sum\n".to_owned();
    }
    let (options, said) = if quiet { ("--sum --quiet", "") } else { ("--sum", "total ") };
    format!(
        "#!/bin/sh\nanswer=$(sh out/tally {options} 1 2 3) || exit 2\necho \"$answer\"\ncase $answer in\n\
         \"{said}6\") exit 0 ;;\n\"{said}12\" | \"{said}18\") exit 1 ;;\n*) exit 3 ;;\nesac\n"
    )
}
