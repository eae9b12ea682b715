//! `--launch`: a command in front of each test that brings it to another machine, over a folder that all machines share.

use clap::Args;
use howcome_lab::inquiry::find_in_path;
use howcome_lab::{Launcher, LocalOptions};
use howcome_run::{Problem, RunFile, plain_error};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where tests run.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[command(next_help_heading = "The run")]
pub(crate) struct LaunchArgs {
    /// Start each test and each build through COMMAND, which brings it to another machine, such as 'srun --exact -n1' or 'ssh
    /// host'; needs --workspaces
    #[arg(long, value_name = "COMMAND", conflicts_with = "sandbox")]
    pub(crate) launch: Option<String>,
    /// Where the folders of tests are made (TMPDIR); with --launch, a folder that all machines share under this path
    #[arg(long, value_name = "DIR")]
    pub(crate) workspaces: Option<PathBuf>,
}

/// The name under which it is recorded.
const RECORDED: &str = "launched_by";

impl LaunchArgs {
    /// Records it, so that a resumed run does the same.
    pub(crate) fn record(&self, file: &mut RunFile) {
        if let (false, Some(request), Ok(value)) =
            (*self == Self::default(), file.request.as_object_mut(), serde_json::to_value(self))
        {
            request.insert(RECORDED.to_owned(), value);
        }
    }

    /// The same as it was recorded, unless the user says something else now. An empty command launches nothing.
    pub(crate) fn or_recorded(self, file: &RunFile) -> Self {
        let recorded = file.request.get(RECORDED).and_then(|value| Self::deserialize(value).ok());
        let recorded = recorded.unwrap_or_default();
        let launch = self.launch.or(recorded.launch).filter(|words| !words.trim().is_empty());
        Self { launch, workspaces: self.workspaces.or(recorded.workspaces) }
    }

    /// Whether tests run on other machines.
    pub(crate) fn is_given(&self) -> bool {
        self.launch.as_ref().is_some_and(|words| !words.trim().is_empty())
    }

    /// Refuses it for a question that cannot use it.
    pub(crate) fn refuse(&self, why: &str) -> Result<(), Problem> {
        match self.is_given() {
            true => Err(Problem::new(format!("--launch is not possible here: {why}"))
                .hint("leave it out, and run howcome itself on the other machine")),
            false => Ok(()),
        }
    }

    /// The same options of a lab, with where tests run.
    pub(crate) fn apply(&self, mut options: LocalOptions) -> Result<LocalOptions, Problem> {
        options.launcher = self.launcher()?;
        if let Some(workspaces) = &self.workspaces {
            let path =
                std::path::absolute(workspaces).map_err(|error| Problem::with_file(workspaces, &error))?;
            if !path.is_dir() {
                return Err(Problem::new(format!(
                    "--workspaces {}: there is no such folder",
                    workspaces.display()
                ))
                .hint(format!("mkdir {}", workspaces.display())));
            }
            options.temp = path;
        } else if options.launcher.is_some() {
            return Err(Problem::new("--launch needs a folder that all machines share")
                .hint("name it with --workspaces DIR; howcome makes the folders of tests in it"));
        }
        if options.launcher.is_some() && !Launcher::can_name(&options.temp) {
            let shown = options.temp.display();
            return Err(Problem::new(format!("--workspaces {shown}: a launcher can change this path"))
                .hint("name a folder whose path has letters, digits and _ - . / only"));
        }
        Ok(options)
    }

    fn launcher(&self) -> Result<Option<Launcher>, Problem> {
        let Some(text) = self.launch.as_deref().filter(|text| !text.trim().is_empty()) else {
            return Ok(None);
        };
        let Some(mut words) = shlex::split(text).filter(|words| !words.is_empty()) else {
            return Err(Problem::new(format!("--launch {text}: a quotation mark has no end")));
        };
        // It does not start in the user's folder.
        if words[0].contains('/') {
            let program = std::path::absolute(&words[0])
                .map_err(|error| Problem::new(format!("--launch {text}: {}", plain_error(&error))))?;
            words[0] = program.to_string_lossy().into_owned();
        }
        let is_there = match words[0].contains('/') {
            true => Path::new(&words[0]).is_file(),
            false => find_in_path(OsStr::new(&words[0])).is_some(),
        };
        match is_there {
            true => Ok(Launcher::new(words)),
            false => Err(Problem::new(format!("--launch {text}: the program {} was not found", words[0]))
                .hint("install it, or give its path")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howcome_run::{Algorithm, QuestionName};

    fn args(launch: Option<&str>) -> LaunchArgs {
        let workspaces = launch.map(|_| PathBuf::from("/tmp"));
        LaunchArgs { launch: launch.map(str::to_owned), workspaces }
    }

    #[test]
    fn a_resumed_run_has_the_same_launcher_unless_the_user_says_otherwise() {
        let request = serde_json::json!({ "list": "list.txt" });
        let mut file = RunFile::new(QuestionName::Items, Algorithm::Balanced.into(), 1, &request).unwrap();
        assert_eq!(args(None).or_recorded(&file), args(None));
        args(Some("ssh host")).record(&mut file);
        assert_eq!(args(None).or_recorded(&file), args(Some("ssh host")));
        assert_eq!(args(Some("srun")).or_recorded(&file), args(Some("srun")));
        let local = LaunchArgs { launch: Some(String::new()), workspaces: None }.or_recorded(&file);
        assert!(!local.is_given(), "an empty command launches nothing");
    }
}
