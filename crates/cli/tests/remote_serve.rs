//! `howcome serve --remote`: the jobs of the service run their tests on a cluster.

#![cfg(feature = "serve")]
#![allow(clippy::unwrap_used)]

#[path = "../../remote/tests/fake_cluster/mod.rs"]
mod fake_cluster;
mod howcome;

use fake_cluster::{ClusterOptions, FakeCluster};
use howcome::{Place, finding_of};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

/// A service that runs its tests on a cluster, and its address.
struct Service(Child, String);

impl Service {
    fn start(place: &Place, cluster: &FakeCluster) -> Self {
        let mut command = place.command(Path::new("sh"));
        command.args(["-c", "exec \"$@\" 2>&1", "sh", env!("CARGO_BIN_EXE_howcome"), "serve"]);
        command.args(["--data", "data", "--listen", "127.0.0.1:0", "--no-sandbox", "--jobs", "3"]);
        command.args(["--remote", &cluster.url()]).env("HOWCOME_REMOTE_TOKEN", "s3cret");
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let address = said.find_map(|line| Some(line.strip_prefix("howcome listens on ")?.to_owned()));
        // Somebody has to read the rest.
        std::thread::spawn(move || said.for_each(drop));
        Self(process, address.unwrap())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let pid = nix::unistd::Pid::from_raw(self.0.id().cast_signed());
        let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM);
        let _ = self.0.wait();
    }
}

#[test]
fn a_service_runs_the_tests_of_its_jobs_on_a_cluster_that_wants_a_token() {
    let place = Place::new();
    let wanted_headers = vec![("authorization", "Bearer s3cret")];
    let cluster = FakeCluster::start(ClusterOptions { wanted_headers, ..ClusterOptions::default() });
    let here = place.json(&["items", "list.txt", "-q", "--json", "--run-dir", "here", "--", "./test.sh"]);
    let service = Service::start(&place, &cluster);
    let output = place
        .howcome(&["--server", &service.1, "items", "list.txt", "-q", "--json", "--", "./test.sh"])
        .output()
        .unwrap();
    let there = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(finding_of(&there)["items"], finding_of(&here)["items"]);
    assert!(cluster.executed() > 4, "{} actions", cluster.executed());
    assert!(cluster.cluster.state().most_at_once <= 3);
}
