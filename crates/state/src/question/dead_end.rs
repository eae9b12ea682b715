//! What can help if nothing was found at any place, with the commands.

use super::chain::Chain;
use super::request::StateRequest;
use crate::NoCause;
use howcome_run::ChainAdvice;
use howcome_run::words::shell_word;

/// What can help, the most promising first. Empty if something was found.
pub(super) fn advise(request: &StateRequest, chain: &Chain) -> Vec<ChainAdvice> {
    if !chain.steps.is_empty() {
        return Vec::new();
    }
    let reasons: Vec<&NoCause> = chain.skipped.iter().map(|(_, why)| why).collect();
    advise_for(request, &reasons, chain.skipped.iter().any(|(place, _)| place.function == "main"))
}

fn advise_for(request: &StateRequest, reasons: &[&NoCause], is_main_skipped: bool) -> Vec<ChainAdvice> {
    let is_any = |is_meant: fn(&NoCause) -> bool| reasons.iter().any(|why| is_meant(why));
    let is_decided = is_any(|why| matches!(why, NoCause::DecidedBefore));
    let is_spoiled = is_any(|why| matches!(why, NoCause::NotTransferable { .. }));
    let is_unclear = is_spoiled || is_any(|why| matches!(why, NoCause::NotNarrowed { .. }));
    let has_pair = request.between.is_none();
    let to =
        |purpose: &str, command: String| ChainAdvice { purpose: purpose.to_owned(), command: Some(command) };
    let mut advice = Vec::new();
    if has_pair && is_decided && !is_main_skipped {
        advice.push(to(
            "look at an earlier place, before the outcome is decided",
            command(request, "--at main"),
        ));
    }
    if has_pair && !request.every_function {
        let purpose = "look at the first call of every function that both runs make";
        advice.push(to(purpose, command(request, "--every-function")));
    }
    if let Some(between) = &request.between {
        let purpose = "compare two other calls or rounds: with the number of one that goes right, and of one that goes wrong";
        let places: Vec<String> =
            between.iter().zip(["RIGHT", "WRONG"]).map(|(place, hit)| with_hit(place, hit)).collect();
        advice.push(to(purpose, command(request, &format!("--between {}", places.join(" ")))));
    }
    if is_spoiled {
        let purpose = "if the program or one of its libraries was built with optimisation or without debug information, \
                       build it with -g -O0 (a folder with separate debug information: --debug-dir DIR)";
        advice.push(ChainAdvice { purpose: purpose.to_owned(), command: None });
    }
    if has_pair && is_unclear {
        let purpose = "compare with a passing run whose input is closer to the failing one; for an input in a file, \
                       this finds the closest one";
        advice.push(to(purpose, "howcome input FAILING --pass PASSING -- TEST {}".to_owned()));
    }
    advice
}

/// A place with another number of the call or round.
fn with_hit(place: &str, hit: &str) -> String {
    let (before, last) = place.rsplit_once(':').unwrap_or((place, ""));
    // The only number after the name of a file is a line.
    let is_file = before.contains('.') && !before.contains(':');
    let named = if last.parse::<u32>().is_ok() && !is_file { before } else { place };
    format!("{}:{hit}", shell_word(named))
}

/// The same question at other places.
fn command(request: &StateRequest, places: &str) -> String {
    let StateRequest { fail, pass, debug_dir, judged, test, .. } = request;
    let mut command = format!("howcome state --fail {}", shell_word(fail));
    let pass = pass.iter().map(|pass| ("pass", pass.clone()));
    let folders = debug_dir.iter().map(|folder| ("debug-dir", folder.display().to_string()));
    let fails = judged.fails_when.iter().map(|condition| ("fails-when", condition.clone()));
    let passes = judged.passes_when.iter().map(|condition| ("passes-when", condition.clone()));
    for (option, value) in pass.chain(folders).chain(fails).chain(passes) {
        command += &format!(" --{option} {}", shell_word(&value));
    }
    command += &format!(" {places}");
    if !test.is_empty() {
        command += " --";
        test.iter().for_each(|word| command += &format!(" {}", shell_word(&word.to_string_lossy())));
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn commands(changes: &serde_json::Value, reasons: &[&NoCause]) -> Vec<Option<String>> {
        let mut request = json!({"fail": "./p bad", "pass": "./p good", "at": ["f"], "every_function": false, "between": null,
            "transitions": false, "debug_dir": [], "test": [], "directory": "/",
            "judged": {"fails_when": ["exit=3"], "passes_when": [], "timeout": null, "memory": 1}});
        changes.as_object().unwrap().iter().for_each(|(key, value)| request[key] = value.clone());
        let request: StateRequest = serde_json::from_value(request).unwrap();
        advise_for(&request, reasons, false).into_iter().map(|advice| advice.command).collect()
    }

    #[test]
    fn each_dead_end_has_a_command() {
        let asked = "howcome state --fail './p bad' --pass './p good' --fails-when exit=3";
        let [main, every] = ["--at main", "--every-function"].map(|places| Some(format!("{asked} {places}")));
        let input = Some("howcome input FAILING --pass PASSING -- TEST {}".to_owned());
        assert_eq!(commands(&json!({}), &[&NoCause::DecidedBefore]), [main, every.clone()]);
        assert_eq!(commands(&json!({}), &[&NoCause::NoDifference]), [every]);
        let unclear = NoCause::NotNarrowed { left: 9, limit: howcome_dd::LimitReached::WithoutProgress(40) };
        assert_eq!(commands(&json!({"every_function": true}), &[&unclear]), [input]);
        let spoiled =
            NoCause::NotTransferable { deltas: 1, dropped: 0, instead: String::new(), spoilers: Vec::new() };
        let between = |places: [&str; 2]| commands(&json!({"between": places, "pass": null}), &[&spoiled]);
        let asked = "howcome state --fail './p bad' --fails-when exit=3";
        for (places, named) in [
            (["f:1", "f:2"], "--between f:RIGHT f:WRONG"),
            (["a.c:8:1", "a.c:8:2"], "--between a.c:8:RIGHT a.c:8:WRONG"),
            (["a.c:8", "a.c:8:2"], "--between a.c:8:RIGHT a.c:8:WRONG"),
        ] {
            assert_eq!(between(places), [Some(format!("{asked} {named}")), None]);
        }
    }
}
