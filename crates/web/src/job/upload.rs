//! Receives a submission with its files. Nothing is acknowledged before all of it is on the disk; what is not acknowledged leaves nothing
//! behind.

use super::archive::{ArchiveError, UnpackLimits, make_executable_if_program, unpack};
use super::commands::{BAD, BUNDLE, GOOD, INPUT, LIST, SCRIPT};
use super::example::Example;
use super::folder::{JobFolder, copy_folder};
use super::submission::{Submission, is_inside};
use crate::refusal::WebRefusal;
use crate::secret::random_text;
use crate::settings::ServeLimits;
use axum::extract::Multipart;
use axum::extract::multipart::{Field, MultipartError};
use axum::http::StatusCode;
use howcome_run::words::size_limit;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How long a client may be silent in the middle of an upload.
const SILENCE: Duration = Duration::from_secs(30);
/// How long an upload may take.
const LONGEST_UPLOAD: Duration = Duration::from_secs(3_600);
/// The beginning of the names of folders that are not acknowledged yet.
const INCOMING: &str = ".incoming-";
const LONGEST_FIELD: usize = 1 << 20;

/// A submission that is complete but not stored yet.
pub(crate) struct ReceivedJob {
    pub(crate) id: String,
    pub(crate) folder: PendingFolder,
    pub(crate) submission: Submission,
    pub(crate) retry_key: Option<String>,
    /// The earlier job whose files are used again.
    pub(crate) from: Option<String>,
}

/// A folder that is removed unless it is kept.
pub(crate) struct PendingFolder(Option<JobFolder>, JobFolder);

impl PendingFolder {
    pub(crate) fn folder(&self) -> &JobFolder {
        &self.1
    }

    pub(crate) fn keep_as(mut self, target: &JobFolder) -> io::Result<()> {
        fs::rename(self.1.path(), target.path())?;
        self.0 = None;
        // The name of the folder must be on the disk before the job is.
        target.path().parent().map_or(Ok(()), |jobs| fs::File::open(jobs)?.sync_all())
    }
}

impl Drop for PendingFolder {
    fn drop(&mut self) {
        if let Some(folder) = self.0.take() {
            let _ = folder.remove();
        }
    }
}

impl ReceivedJob {
    /// A job without files yet.
    pub(crate) fn begin(jobs: &Path, submission: Submission) -> Result<Self, WebRefusal> {
        let id = random_text(26)?;
        let folder = JobFolder::at(jobs.join(format!("{INCOMING}{id}")));
        fs::create_dir_all(folder.upload())?;
        let folder = PendingFolder(Some(folder.clone()), folder);
        Ok(Self { id, folder, submission, retry_key: None, from: None })
    }

    /// A sample with its files.
    pub(crate) fn of_example(jobs: &Path, example: &Example) -> Result<Self, WebRefusal> {
        let received = Self::begin(jobs, example.submission.clone())?;
        for (name, content) in &example.files {
            let path = received.folder.folder().upload().join(name);
            fs::write(&path, content)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
        received.write_texts()?;
        Ok(received)
    }

    /// Reads a submission as a browser or a program sends it.
    pub(crate) async fn receive(
        jobs: &Path,
        limits: &ServeLimits,
        form: Multipart,
    ) -> Result<Self, WebRefusal> {
        let received = Self::begin(jobs, Submission::default())?;
        let reading = Receiving {
            received,
            fields: serde_json::Map::new(),
            unpack: UnpackLimits { bytes: limits.unpacked, files: limits.files },
            upload: limits.upload,
            left: limits.upload,
        };
        let slow = || WebRefusal::new(StatusCode::REQUEST_TIMEOUT, "the upload took too long");
        tokio::time::timeout(LONGEST_UPLOAD, reading.receive(form)).await.map_err(|_| slow())?
    }

    /// Adds the files of an earlier job, except those that were sent again.
    pub(crate) async fn add_files_of(&self, earlier: &JobFolder) -> Result<(), WebRefusal> {
        let (from, to) = (earlier.upload(), self.folder.folder().upload());
        let copied = tokio::task::spawn_blocking(move || {
            for entry in fs::read_dir(from)? {
                let entry = entry?;
                let target = to.join(entry.file_name());
                match entry.file_type()?.is_dir() {
                    _ if target.exists() => {}
                    true => copy_folder(&entry.path(), &target)?,
                    false => drop(fs::copy(entry.path(), target)?),
                }
            }
            Ok::<_, io::Error>(())
        });
        Ok(copied.await.map_err(WebRefusal::internal)??)
    }

    /// Writes what was sent as text where the commands expect it.
    fn write_texts(&self) -> io::Result<()> {
        let upload = self.folder.folder().upload();
        let Submission { script, list, input_text, input, .. } = &self.submission;
        if !script.trim().is_empty() {
            let start = if script.starts_with("#!") { "" } else { "#!/bin/sh\n" };
            fs::write(upload.join(SCRIPT), format!("{start}{}\n", script.replace("\r\n", "\n")))?;
            fs::set_permissions(upload.join(SCRIPT), fs::Permissions::from_mode(0o755))?;
        }
        if !list.trim().is_empty() {
            fs::write(upload.join(LIST), list.replace("\r\n", "\n"))?;
        }
        if !input_text.is_empty() && input.is_empty() {
            fs::write(upload.join(INPUT), input_text.replace("\r\n", "\n"))?;
        }
        Ok(())
    }
}

struct Receiving {
    received: ReceivedJob,
    fields: serde_json::Map<String, serde_json::Value>,
    unpack: UnpackLimits,
    upload: u64,
    left: u64,
}

impl Receiving {
    async fn receive(mut self, mut form: Multipart) -> Result<ReceivedJob, WebRefusal> {
        while let Some(field) = next(&mut form).await? {
            let name = field.name().unwrap_or_default().to_owned();
            match name.as_str() {
                "file" | "archive" | "good_archive" | "bad_archive" | "bundle" | "input_file"
                | "pass_file" | "list_file" => self.file(&name, field).await?,
                "request" => {
                    let text = self.text(field).await?;
                    self.received.submission = serde_json::from_str(&text)
                        .map_err(|error| WebRefusal::bad(format!("the request is not valid: {error}")))?;
                }
                "from" => self.received.from = Some(self.text(field).await?).filter(|from| !from.is_empty()),
                "retry_key" => {
                    let text = self.text(field).await?;
                    self.received.retry_key = Some(text).filter(|key| !key.is_empty() && key.len() <= 100);
                }
                _ => {
                    let text = self.text(field).await?;
                    self.field(&name, &text)?;
                }
            }
        }
        if !self.fields.is_empty() {
            // The fields of a form are the fields of a request.
            let mut request =
                serde_json::to_value(&self.received.submission).map_err(WebRefusal::internal)?;
            if let Some(request) = request.as_object_mut() {
                request.extend(self.fields);
            }
            self.received.submission = serde_json::from_value(request)
                .map_err(|error| WebRefusal::bad(format!("the form is not valid: {error}")))?;
        }
        self.received.submission.check().map_err(WebRefusal::bad)?;
        self.received.write_texts()?;
        Ok(self.received)
    }

    fn field(&mut self, name: &str, text: &str) -> Result<(), WebRefusal> {
        let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
        let value = match name {
            "fails_when" | "passes_when" | "only" | "at" => lines().collect::<Vec<_>>().into(),
            "any_message" | "flaky" | "fix" | "isolate" | "stdin" | "order" | "transitions" => {
                matches!(text, "on" | "true" | "1").into()
            }
            "max_tests" if text.trim().is_empty() => serde_json::Value::Null,
            "max_tests" => {
                let number: u64 = text
                    .trim()
                    .parse()
                    .map_err(|_| WebRefusal::bad(format!("`{text}` is not a number of tests")))?;
                number.into()
            }
            "input" | "pass_input" if text.is_empty() => return Ok(()),
            _ => text.into(),
        };
        self.fields.insert(name.to_owned(), value);
        Ok(())
    }

    async fn text(&mut self, field: Field<'_>) -> Result<String, WebRefusal> {
        let mut bytes = Vec::new();
        self.copy(field, &mut Limited { to: &mut bytes, most: LONGEST_FIELD }).await?;
        String::from_utf8(bytes).map_err(|_| WebRefusal::bad("a field is not text in UTF-8"))
    }

    async fn file(&mut self, kind: &str, field: Field<'_>) -> Result<(), WebRefusal> {
        let given = field.file_name().unwrap_or_default().to_owned();
        let base = given.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let upload = self.received.folder.folder().upload();
        let part = self.received.folder.folder().path().join("part");
        let mut file = fs::File::create(&part)?;
        let bytes = self.copy(field, &mut file).await?;
        if given.is_empty() && bytes == 0 {
            // A form sends an empty part for a file that was not chosen.
            return Ok(());
        }
        file.sync_all()?;
        drop(file);
        if matches!(kind, "file" | "input_file" | "pass_file" | "list_file")
            && (!is_inside(&base) || base.len() > 200)
        {
            return Err(WebRefusal::bad("a file has no usable name"));
        }
        match kind {
            "archive" => self.unpack(&given, part, upload).await,
            "good_archive" => self.unpack(&given, part, upload.join(GOOD)).await,
            "bad_archive" => self.unpack(&given, part, upload.join(BAD)).await,
            "bundle" => {
                let mut start = [0; 16];
                let read = io::Read::read(&mut fs::File::open(&part)?, &mut start)?;
                if !start[..read].starts_with(b"# v") {
                    return Err(WebRefusal::bad(format!(
                        "`{given}` is not a git bundle: make it with `git bundle create`"
                    )));
                }
                Ok(fs::rename(part, upload.join(BUNDLE))?)
            }
            "list_file" => {
                let text = String::from_utf8_lossy(&fs::read(&part)?).into_owned();
                self.fields.insert("list".to_owned(), text.into());
                Ok(())
            }
            _ => {
                match kind {
                    "input_file" => drop(self.fields.insert("input".to_owned(), base.clone().into())),
                    "pass_file" => drop(self.fields.insert("pass_input".to_owned(), base.clone().into())),
                    _ => {}
                }
                make_executable_if_program(&part)?;
                Ok(fs::rename(part, upload.join(base))?)
            }
        }
    }

    async fn unpack(&mut self, name: &str, archive: PathBuf, into: PathBuf) -> Result<(), WebRefusal> {
        let mut limits = self.unpack;
        let unpacked = tokio::task::spawn_blocking(move || {
            fs::create_dir_all(&into).map_err(ArchiveError::Io)?;
            unpack(&archive, &into, &mut limits)?;
            let _ = fs::remove_file(&archive);
            Ok::<_, ArchiveError>(limits)
        });
        self.unpack = unpacked.await.map_err(WebRefusal::internal)?.map_err(|error| match error {
            ArchiveError::Io(error) => error.into(),
            error @ ArchiveError::TooLarge(_) => {
                WebRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("`{name}`: {error}"))
            }
            error => WebRefusal::bad(format!("`{name}`: {error}")),
        })?;
        Ok(())
    }

    async fn copy(&mut self, mut field: Field<'_>, to: &mut (dyn Write + Send)) -> Result<u64, WebRefusal> {
        let mut bytes = 0;
        loop {
            let chunk = tokio::time::timeout(SILENCE, field.chunk()).await.map_err(|_| silent())?;
            let Some(chunk) = chunk.map_err(|error| self.broken(&error))? else { return Ok(bytes) };
            let length = chunk.len() as u64;
            self.left = self.left.checked_sub(length).ok_or_else(|| too_large(self.upload))?;
            to.write_all(&chunk).map_err(|error| match error.kind() {
                io::ErrorKind::FileTooLarge => too_large(self.upload),
                _ => error.into(),
            })?;
            bytes += length;
        }
    }

    fn broken(&self, error: &MultipartError) -> WebRefusal {
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large(self.upload),
            _ => WebRefusal::bad("the upload is not complete"),
        }
    }
}

/// A text that may not become longer than a limit.
struct Limited<'a> {
    to: &'a mut Vec<u8>,
    most: usize,
}

impl Write for Limited<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.to.len() + bytes.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

async fn next(form: &mut Multipart) -> Result<Option<Field<'_>>, WebRefusal> {
    let field = tokio::time::timeout(SILENCE, form.next_field()).await.map_err(|_| silent())?;
    field.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            WebRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, "the upload is too large")
        }
        _ => WebRefusal::bad("the upload is not complete"),
    })
}

fn silent() -> WebRefusal {
    WebRefusal::new(StatusCode::REQUEST_TIMEOUT, "the upload stopped")
}

fn too_large(limit: u64) -> WebRefusal {
    WebRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the upload is larger than {}", size_limit(limit)))
}

/// Removes what killed services have left of uploads that they did not acknowledge.
pub(crate) fn remove_abandoned(jobs: &Path) {
    let old = SystemTime::now() - LONGEST_UPLOAD * 2;
    for entry in fs::read_dir(jobs).into_iter().flatten().flatten() {
        let is_incoming = entry.file_name().to_string_lossy().starts_with(INCOMING);
        let is_old = entry.metadata().and_then(|about| about.modified()).is_ok_and(|time| time < old);
        if is_incoming && is_old {
            let _ = JobFolder::at(entry.path()).remove();
        }
    }
}
