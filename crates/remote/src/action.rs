//! Actions: what the cluster is asked to run.

use crate::blobs::Blobs;
use crate::parcel::Parcel;
use crate::protocol::{Action, Command, Directory, DirectoryNode, FileNode, Platform, command, platform};
use crate::{BlobDigest, RemoteOptions};
use std::time::Duration;

/// The script that builds and tests candidates on a worker.
const RUNNER: &str = include_str!("runner.sh");
const RUNNER_NAME: &str = "howcome-run";

/// The search path of tests, if the user names no other.
pub(crate) const SEARCH_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// How the candidates of an action are run. Only candidates with the same terms share an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ActionTerms {
    /// Seconds for a test, and for a build.
    pub(crate) limits: [u64; 2],
    pub(crate) builds: usize,
    pub(crate) wants_reads: bool,
    pub(crate) keeps_build: bool,
}

/// An action and the blobs that it needs besides those of its candidates.
#[derive(Clone, Debug)]
pub(crate) struct PreparedAction {
    pub(crate) digest: BlobDigest,
    pub(crate) blobs: Blobs,
}

impl PreparedAction {
    /// The action that tests these candidates one after the other. An action with a salt is one of its kind and is never cached.
    pub(crate) fn new(
        parcels: &[&Parcel],
        terms: ActionTerms,
        salt: Option<Vec<u8>>,
        options: &RemoteOptions,
    ) -> Self {
        let mut blobs = Blobs::default();
        let mut root = Directory::default();
        let runner = Some(blobs.add(RUNNER.as_bytes()).to_message());
        root.files.push(FileNode { name: RUNNER_NAME.into(), digest: runner, ..FileNode::default() });
        let names: Vec<String> = (0..parcels.len()).map(candidate_name).collect();
        for (name, parcel) in names.iter().zip(parcels) {
            let digest = Some(parcel.folder.to_message());
            root.directories.push(DirectoryNode { name: name.clone(), digest });
        }
        root.directories.sort_by(|one, other| one.name.cmp(&other.name));
        let flag = |is_set: bool| if is_set { "1" } else { "0" }.to_owned();
        let [limit, build_limit] = terms.limits.map(|seconds| seconds.to_string());
        let arguments =
            ["/bin/sh".to_owned(), RUNNER_NAME.to_owned(), limit, build_limit, terms.builds.to_string()];
        let arguments = arguments.into_iter().chain([flag(terms.wants_reads), flag(terms.keeps_build)]);
        let mut outputs: Vec<String> = names.iter().map(|name| result_name(name)).collect();
        if terms.keeps_build {
            outputs.extend(names.iter().map(|name| built_name(name)));
        }
        outputs.sort_unstable();
        let platform = platform_of(options);
        #[allow(deprecated)] // Servers of version 2.0 read nothing else.
        let command = Command {
            arguments: arguments.chain(names).collect(),
            environment_variables: environment(options),
            output_files: outputs.clone(),
            output_paths: outputs,
            platform: platform.clone(),
            ..Command::default()
        };
        let action = Action {
            command_digest: Some(blobs.add_message(&command).to_message()),
            input_root_digest: Some(blobs.add_message(&root).to_message()),
            do_not_cache: salt.is_some(),
            salt: salt.unwrap_or_default(),
            platform,
            ..Action::default()
        };
        Self { digest: blobs.add_message(&action), blobs }
    }
}

/// The name of a candidate in its action.
pub(crate) fn candidate_name(number: usize) -> String {
    format!("c{number}")
}

/// The file with what a candidate did.
pub(crate) fn result_name(candidate: &str) -> String {
    format!("{candidate}.result")
}

/// The archive of what its builds made.
pub(crate) fn built_name(candidate: &str) -> String {
    format!("{candidate}.built")
}

fn environment(options: &RemoteOptions) -> Vec<command::EnvironmentVariable> {
    let mut variables = vec![("PATH".to_owned(), SEARCH_PATH.to_owned())];
    for (name, value) in &options.environment {
        variables.retain(|(known, _)| known != name);
        variables.push((name.clone(), value.clone()));
    }
    variables.sort_unstable();
    variables.into_iter().map(|(name, value)| command::EnvironmentVariable { name, value }).collect()
}

fn platform_of(options: &RemoteOptions) -> Option<Platform> {
    let mut properties: Vec<platform::Property> = options
        .properties
        .iter()
        .map(|(name, value)| platform::Property { name: name.clone(), value: value.clone() })
        .collect();
    properties.sort_by(|one, other| (&one.name, &one.value).cmp(&(&other.name, &other.value)));
    (!properties.is_empty()).then_some(Platform { properties })
}

/// A limit in seconds, rounded up so far that it is the same in all runs of a question: the limit of a test comes from measured
/// times, and actions with different limits are different actions.
pub(crate) fn round_limit(limit: Duration) -> u64 {
    let mut seconds = 5;
    while Duration::from_secs(seconds) < limit && seconds < 1 << 40 {
        seconds *= 4;
    }
    seconds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_rounded_up() {
        let rounded = |seconds| round_limit(Duration::from_secs_f64(seconds));
        assert_eq!([0.1, 5.0, 5.1, 300.0].map(rounded), [5, 5, 20, 320]);
    }
}
