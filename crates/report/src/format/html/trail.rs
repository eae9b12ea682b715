//! The trail on the page: a row for each question.

use crate::format::escape::escape;
use crate::format::trail::reason;
use crate::{Summary, TrailStep};
use howcome_run::AnswerSource;
use howcome_run::words::{compact, count, duration, size, thousands};
use std::fmt::{self, Write};

const TRAIL_ROWS: usize = 2_000;
/// A longer trail is folded away at first.
const OPEN_ROWS: usize = 60;
const CONFIGURATION_WIDTH: usize = 48;
const TITLE_WIDTH: usize = 600;

pub(crate) fn write_trail(to: &mut String, summary: &Summary) -> fmt::Result {
    let all = summary.trail.len();
    if all == 0 {
        return Ok(());
    }
    let open = if all <= OPEN_ROWS { " open" } else { "" };
    write!(
        to,
        "<section>\n<h2>The trail</h2>\n<details{open}>\n<summary>{}, in the order of the search</summary>\n\
         <div class=\"scroll\"><table class=\"trail\">\n<thead><tr><th class=\"n\">no.</th><th>outcome</th><th>with</th>\
         <th class=\"n\">left</th><th>step</th><th>reason</th><th class=\"n\">took</th></tr></thead>\n<tbody>\n",
        count(summary.counts.asked, "question")
    )?;
    if all <= TRAIL_ROWS {
        summary.trail.iter().try_for_each(|step| write_row(to, step))?;
    } else {
        let half = TRAIL_ROWS / 2;
        summary.trail.iter().take(half).try_for_each(|step| write_row(to, step))?;
        let left_out = thousands((all - TRAIL_ROWS) as u64);
        writeln!(to, r#"<tr class="gap"><td colspan="7">{left_out} steps are not shown</td></tr>"#)?;
        summary.trail.iter().skip(all - half).try_for_each(|step| write_row(to, step))?;
    }
    writeln!(to, "</tbody>\n</table></div>\n</details>\n</section>")
}

fn write_row(to: &mut String, step: &TrailStep) -> fmt::Result {
    let how = match step.how {
        AnswerSource::Tested => "",
        AnswerSource::Predicted => " predicted",
        AnswerSource::Remembered => " remembered",
    };
    let number = step.number.map(thousands).unwrap_or_default();
    let (with, title) = match &step.configuration {
        Some(configuration) => {
            let short = compact(configuration, CONFIGURATION_WIDTH);
            let long = if short.ends_with('…') {
                format!(" title=\"{}\"", escape(&compact(configuration, TITLE_WIDTH)))
            } else {
                String::new()
            };
            (short, long)
        }
        None => (String::new(), String::new()),
    };
    writeln!(
        to,
        "<tr class=\"{outcome}{how}\"><td class=\"n\">{number}</td><td class=\"o\">{sign} {outcome}</td>\
         <td class=\"c\"{title}>{with}{name}</td><td class=\"n\">{left}</td><td>{step}</td><td class=\"r\">{reason}</td>\
         <td class=\"n\">{took}</td></tr>",
        outcome = step.outcome,
        name = step.name.as_ref().map(|name| format!("<br>{}", escape(name))).unwrap_or_default(),
        sign = step.outcome.sign(),
        left = match step.bytes {
            Some(bytes) => format!("{} ({})", thousands(step.left.into()), size(bytes)),
            None => thousands(step.left.into()),
        },
        step = step.step.name(),
        reason = escape(&reason(step)),
        took = step.took.map(duration).unwrap_or_default(),
    )
}
