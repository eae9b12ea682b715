//! The samples of `howcome demo`, one click away.

use crate::demo::{CHECK, COUNT_CHECK, INVOICE, ORDER, PRICES, SETTINGS, TILL_CHECK, history, state};
use howcome_run::QuestionName;
use howcome_web::{Example, Submission};

/// Makes the repository of the till from the stream that `git fast-import` reads.
const MAKE_REPOSITORY: &str = "git init -q --template= . && git fast-import --quiet < till.stream && \
     git symbolic-ref HEAD refs/heads/main && git reset -q --hard";

pub(super) fn examples() -> Vec<Example> {
    let files = |files: &[(&str, &str)]| -> Vec<(String, Vec<u8>)> {
        files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    };
    let ask = |question, title: &str| Submission {
        question: Some(question),
        title: title.to_owned(),
        ..Submission::default()
    };
    let till = history::as_stream();
    vec![
        Example {
            name: "state".to_owned(),
            story: "A C program sorts prices. With five prices it says that the cheapest is 0, with six it is right. How does it come to that?"
                .to_owned(),
            submission: Submission {
                setup: format!("cc {}", state::FLAGS.join(" ")),
                fail: state::FAILING.to_owned(),
                pass: state::PASSING.to_owned(),
                ..ask(QuestionName::State, "Example: how did the program come to fail?")
            },
            files: files(&[("prices.c", state::PRICES)]),
        },
        Example {
            name: "changes".to_owned(),
            story: "A till has lost the discount for ten pens, some time during the last 41 commits. Which line did it?".to_owned(),
            submission: Submission {
                setup: MAKE_REPOSITORY.to_owned(),
                good: "v1.0".to_owned(),
                bad: "HEAD".to_owned(),
                test: "./check.sh".to_owned(),
                ..ask(QuestionName::Changes, "Example: which change broke it?")
            },
            files: files(&[("till.stream", &till), ("check.sh", TILL_CHECK)]),
        },
        Example {
            name: "history".to_owned(),
            story: "The same till, but the test uses something that v1.0 does not know. No old version passes: which line did it?"
                .to_owned(),
            submission: Submission {
                setup: MAKE_REPOSITORY.to_owned(),
                test: "./check-count.sh".to_owned(),
                ..ask(QuestionName::History, "Example: and if no old version passes?")
            },
            files: files(&[("till.stream", &till), ("check-count.sh", COUNT_CHECK)]),
        },
        Example {
            name: "input".to_owned(),
            story: "A script dies of one order in JSON. Which part of the order is it?".to_owned(),
            submission: Submission {
                input: "order.json".to_owned(),
                test: "./prices.sh {}".to_owned(),
                ..ask(QuestionName::Input, "Example: which part of the input?")
            },
            files: files(&[("order.json", ORDER), ("prices.sh", PRICES)]),
        },
        Example {
            name: "items".to_owned(),
            story: "An invoice is wrong since last night. Which of the settings make it wrong?".to_owned(),
            submission: Submission {
                list: SETTINGS.to_owned(),
                test: "./check.sh".to_owned(),
                ..ask(QuestionName::Items, "Example: which of these settings?")
            },
            files: files(&[("invoice.sh", INVOICE), ("check.sh", CHECK)]),
        },
    ]
}
