//! A report that a service delivers names files of the service. Here it names local files and addresses.

/// Files of a run that have an address of their own.
const WITH_ADDRESS: [(&str, &str); 5] = [
    // The longer path first: the other one is its beginning.
    ("answer.pass", "passing-input"),
    ("answer", "smaller-input"),
    ("run/culprit.patch", "culprit.patch"),
    ("run/backported.patch", "backported.patch"),
    ("run/forward.patch", "forward.patch"),
];
const KEPT_APART: &str = " and is in ../run/";
/// The programs of commands that would use the folder of the run.
const OF_THE_RUN: [&str; 3] = ["  howcome ", "  git ", "  patch "];

/// A job whose report is delivered.
pub(super) struct DeliveredReport<'a> {
    pub(super) id: &'a str,
    /// The address of its page.
    pub(super) page: String,
    /// A file that was fetched: what the service calls it, and its local path.
    pub(super) written: Option<(&'static str, String)>,
}

impl DeliveredReport<'_> {
    /// The report for people.
    pub(super) fn text(&self, report: &str) -> String {
        let report = self.with_names(report, &self.page, str::to_owned);
        let report = without_kept_apart(&report).replace("`howcome show run --json`", "`--json`");
        let Some((answer, steps)) = report.split_once("\nRecorded in run\n") else { return report };
        let is_possible = |step: &&str| {
            !OF_THE_RUN.iter().any(|start| step.starts_with(start)) && !step.contains(" run/best")
        };
        let steps: String = steps.split_inclusive('\n').filter(is_possible).collect();
        format!("{answer}\nRecorded at {}\n{steps}", self.page)
    }

    /// The report for programs.
    pub(super) fn json(&self, report: &str) -> String {
        let quoted = |text: &str| {
            let quoted = serde_json::Value::from(text).to_string();
            quoted[1..quoted.len() - 1].to_owned()
        };
        let page = quoted(&self.page);
        self.with_names(report, &page, quoted).replacen(r#""run": "run""#, &format!(r#""run": "{page}""#), 1)
    }

    fn with_names(&self, report: &str, page: &str, write: impl Fn(&str) -> String) -> String {
        let mut report = self.behind_walls(report);
        for (path, name) in WITH_ADDRESS {
            let known = match &self.written {
                Some((written, local)) if *written == name => write(local),
                _ => format!("{page}/download/{name}"),
            };
            report = report.replace(&format!("/job/files/../{path}"), &known);
        }
        report.replace("/job/files/", "").replace("/job/files", ".")
    }

    /// A service without namespaces has the folder of a job where its data is.
    fn behind_walls(&self, report: &str) -> String {
        let folder = format!("/{}/work/", self.id);
        let mut parts = report.split(&folder);
        let mut shown = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let start = shown.rfind(|c: char| c.is_whitespace() || "\"'`(=:".contains(c));
            shown.truncate(start.map_or(0, |at| at + shown[at..].chars().next().map_or(1, char::len_utf8)));
            shown += "/job/";
            shown += part;
        }
        shown
    }
}

/// Candidates that failed differently stay at the service.
fn without_kept_apart(report: &str) -> String {
    let mut parts = report.split(KEPT_APART);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |shown, part| shown + part.find(char::is_whitespace).map_or("", |end| &part[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_of_the_service_is_left_in_a_report() {
        let report = DeliveredReport {
            id: "abc",
            page: "http://x/jobs/abc".to_owned(),
            written: Some(("smaller-input", "a.min.cfg".to_owned())),
        };
        let text = "The smaller input is written to /data/abc/work/files/../answer.\n\
             exit code 4; the smallest has 3 bytes and is in ../run/other/1\n\
             Error at /job/files/x.py:3\n\nRecorded in run\n  howcome show run --trail  see it\n  \
             git -C /job/files/repository apply -R /job/files/../run/culprit.patch  undo it\n  define it\n";
        let expected = "The smaller input is written to a.min.cfg.\n\
             exit code 4; the smallest has 3 bytes\nError at x.py:3\n\n\
             Recorded at http://x/jobs/abc\n  define it\n";
        assert_eq!(report.text(text), expected);
        let json = r#"{"run": "run", "a": "/job/files/../answer.pass", "b": "/job/files/../answer"}"#;
        let expected = r#"{"run": "http://x/jobs/abc", "a": "http://x/jobs/abc/download/passing-input", "b": "a.min.cfg"}"#;
        assert_eq!(report.json(json), expected);
    }
}
