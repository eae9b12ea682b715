//! Tells another service that a job is over. Only hosts that the operator names are called, so that nobody can use the service to reach
//! what only it can reach.

use crate::store::JobRow;
use serde_json::json;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(10);
const ATTEMPTS: u32 = 3;
/// How much longer each further attempt waits.
const PAUSE: Duration = Duration::from_secs(5);

/// Whether an address belongs to one of the hosts.
pub(crate) fn is_allowed(address: &str, hosts: &[String]) -> bool {
    let host = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let Some(host) = host.and_then(|rest| rest.split(['/', '?', '#']).next()) else { return false };
    !host.contains('@') && hosts.iter().any(|allowed| allowed == host)
}

/// Sends the end of a job, at most three times.
pub(crate) fn tell(address: &str, job: &JobRow) -> Result<(), String> {
    let config = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).max_redirects(0).build();
    let agent = ureq::Agent::new_with_config(config);
    let body = json!({
        "job": job.id, "question": job.question, "title": job.title, "status": job.status.as_str(), "ending": job.ending,
    });
    let mut last = String::new();
    for attempt in 0..ATTEMPTS {
        std::thread::sleep(PAUSE * attempt);
        match agent.post(address).send_json(&body) {
            Ok(_) => return Ok(()),
            Err(error) => last = error.to_string(),
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_hosts_are_called() {
        let hosts = ["ci.example.org".to_owned(), "localhost:9000".to_owned()];
        assert!(is_allowed("https://ci.example.org/hook?x=1", &hosts));
        assert!(is_allowed("http://localhost:9000/", &hosts));
        for address in [
            "https://ci.example.org.evil.net/",
            "https://ci.example.org@evil.net/",
            "https://evil.net/ci.example.org",
            "https://evil.net#ci.example.org",
            "ftp://ci.example.org/",
            "ci.example.org",
            "http://169.254.169.254/",
            "http://localhost:9001/",
        ] {
            assert!(!is_allowed(address, &hosts), "{address}");
        }
    }
}
