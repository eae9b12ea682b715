//! The other side: submits to a service, follows the job, fetches the answer.

use crate::http::{CreatedJob, JobInfo};
use crate::job::submission::Submission;
use crate::secret::random_text;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(300);
/// How often a submission is sent to a service that does not answer, and how much longer it waits each time.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(500);
/// The largest answer that is fetched.
const LARGEST: u64 = 1 << 30;

/// A service, as a program sees it.
#[derive(Debug)]
pub struct ServeClient {
    address: String,
    token: Option<String>,
    agent: ureq::Agent,
}

/// A file that is sent.
#[derive(Debug)]
pub struct SentFile {
    /// Its path below the folder of the job.
    pub path: PathBuf,
    /// Where it is.
    pub from: PathBuf,
}

/// What is sent with a submission.
#[derive(Debug, Default)]
pub struct SentFiles {
    /// Files that the question names.
    pub files: Vec<SentFile>,
    /// The folder of the version that passes and of the one that fails.
    pub versions: Option<[PathBuf; 2]>,
    /// A git bundle.
    pub bundle: Option<Vec<u8>>,
}

impl ServeClient {
    /// A service at an address such as `https://example.org/howcome`.
    #[must_use]
    pub fn new(address: &str, token: Option<String>) -> Self {
        let config =
            ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false).build();
        let address = address.trim_end_matches('/').to_owned();
        Self { address, token, agent: ureq::Agent::new_with_config(config) }
    }

    /// The address of a page of the service.
    #[must_use]
    pub fn page(&self, path: &str) -> String {
        let host = self.address.find("://").map_or(0, |at| at + 3);
        let end = self.address[host..].find('/').map_or(self.address.len(), |at| host + at);
        format!("{}{path}", &self.address[..end])
    }

    /// Submits a question.
    ///
    /// # Errors
    /// What the service or the network says.
    pub fn submit(&self, submission: &Submission, sent: &SentFiles) -> Result<CreatedJob, String> {
        let limit = random_text(32).map_err(|error| error.to_string())?;
        let request = serde_json::to_vec(submission).map_err(|error| error.to_string())?;
        let mut parts: Vec<(&str, Option<&str>, Vec<u8>)> = vec![
            ("request", None, request),
            // A request that is repeated makes no second job.
            ("retry_key", None, limit.clone().into_bytes()),
        ];
        let packed = |error: io::Error| format!("a file cannot be read: {error}");
        if !sent.files.is_empty() {
            parts.push(("archive", Some("files.tar"), pack_files(&sent.files).map_err(packed)?));
        }
        if let Some([good, bad]) = &sent.versions {
            parts.push(("good_archive", Some("good.tar"), pack_folder(good).map_err(packed)?));
            parts.push(("bad_archive", Some("bad.tar"), pack_folder(bad).map_err(packed)?));
        }
        if let Some(bundle) = &sent.bundle {
            parts.push(("bundle", Some("repository.bundle"), bundle.clone()));
        }
        let mut body = Vec::new();
        for (name, file, content) in parts {
            let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
            body.extend(
                format!("--{limit}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").bytes(),
            );
            body.extend(content);
            body.extend(b"\r\n");
        }
        body.extend(format!("--{limit}--\r\n").bytes());
        let send = || {
            let kind = format!("multipart/form-data; boundary={limit}");
            self.post("/api/v1/jobs").header("Content-Type", kind).send(&body[..])
        };
        let mut sent = send();
        for attempt in 1..ATTEMPTS {
            if sent.is_ok() {
                break;
            }
            // A service that is restarted comes back.
            std::thread::sleep(PAUSE * attempt);
            sent = send();
        }
        self.read_json(sent)
    }

    /// A job and its progress.
    ///
    /// # Errors
    /// What the service or the network says.
    pub fn job(&self, id: &str) -> Result<JobInfo, String> {
        self.read_json(self.get(&format!("/api/v1/jobs/{id}")))
    }

    /// Stops a job.
    ///
    /// # Errors
    /// What the service or the network says.
    pub fn cancel(&self, id: &str) -> Result<(), String> {
        self.post(&format!("/api/v1/jobs/{id}/cancel"))
            .send_empty()
            .map(drop)
            .map_err(|error| error.to_string())
    }

    /// A file of a job, if it has one of this name.
    ///
    /// # Errors
    /// What the network says.
    pub fn file(&self, id: &str, name: &str) -> Result<Option<Vec<u8>>, String> {
        let mut response =
            self.get(&format!("/api/v1/jobs/{id}/files/{name}")).map_err(|error| error.to_string())?;
        if !response.status().is_success() {
            return Ok(None);
        }
        let read = response.body_mut().with_config().limit(LARGEST).read_to_vec();
        read.map(Some).map_err(|error| error.to_string())
    }

    fn post(&self, path: &str) -> ureq::RequestBuilder<ureq::typestate::WithBody> {
        let request = self.agent.post(format!("{}{path}", self.address));
        match &self.token {
            Some(token) => request.header("Authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    fn get(&self, path: &str) -> Result<ureq::http::Response<ureq::Body>, ureq::Error> {
        let request = self.agent.get(format!("{}{path}", self.address));
        match &self.token {
            Some(token) => request.header("Authorization", format!("Bearer {token}")).call(),
            None => request.call(),
        }
    }

    fn read_json<T: serde::de::DeserializeOwned>(
        &self,
        response: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<T, String> {
        let mut response = response.map_err(|error| error.to_string())?;
        let status = response.status();
        if status == ureq::http::StatusCode::UNAUTHORIZED {
            return Err(match &self.token {
                Some(_) => "it does not know the token in HOWCOME_TOKEN".to_owned(),
                None => {
                    "it needs a token: set HOWCOME_TOKEN to the one that its operator gave you".to_owned()
                }
            });
        }
        let text = response.body_mut().read_to_string().map_err(|error| error.to_string())?;
        if !status.is_success() {
            let said: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            return Err(said["error"]
                .as_str()
                .map_or_else(|| format!("it answered {status}"), str::to_owned));
        }
        serde_json::from_str(&text).map_err(|error| format!("its answer cannot be read: {error}"))
    }
}

fn pack_files(files: &[SentFile]) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    // If all files were in one folder, the service would leave that folder out.
    let mut here = tar::Header::new_gnu();
    here.set_entry_type(tar::EntryType::Directory);
    here.set_mode(0o755);
    here.set_size(0);
    archive.append_data(&mut here, ".howcome", io::empty())?;
    for file in files {
        archive.append_file(&file.path, &mut File::open(&file.from)?)?;
    }
    archive.into_inner()
}

fn pack_folder(folder: &Path) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_dir_all("version", folder)?;
    archive.into_inner()
}
