//! Executes actions, each in a temporary folder.

use super::storage::Service;
use super::{Cluster, Fault};
use bazel_remote_apis::build::bazel::remote::execution::v2::execution_server::Execution;
use bazel_remote_apis::build::bazel::remote::execution::v2::*;
use bazel_remote_apis::google::longrunning::operations_server::Operations;
use bazel_remote_apis::google::longrunning::*;
use bazel_remote_apis::google::{protobuf, rpc};
use howcome_remote::BlobDigest;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use prost::Message;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use tokio::sync::watch;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Response, Status};

/// An action that runs, or has ended.
#[derive(Debug)]
pub struct RunningAction {
    name: String,
    ended: watch::Sender<Option<ExecuteResponse>>,
    /// Its process, while it runs.
    process: Mutex<ActionProcess>,
}

#[derive(Debug, Default)]
struct ActionProcess {
    group: Option<Pid>,
    is_cancelled: bool,
}

impl RunningAction {
    fn cancel(&self, cluster: &Cluster) {
        let mut process = self.process.lock().unwrap();
        if std::mem::replace(&mut process.is_cancelled, true) {
            return;
        }
        if let Some(group) = process.group {
            let _ = killpg(group, Signal::SIGKILL);
        }
        cluster.change(|state| state.cancelled += 1);
    }
}

type News = ReceiverStream<Result<Operation, Status>>;

#[tonic::async_trait]
impl Execution for Service {
    type ExecuteStream = News;
    type WaitExecutionStream = News;

    async fn execute(&self, request: Request<ExecuteRequest>) -> Result<Response<News>, Status> {
        let fault = self.0.called("Execute").await?;
        let request = request.into_inner();
        let digest = request.action_digest.unwrap();
        let ended = watch::Sender::new(None);
        let running = {
            let mut state = self.0.state();
            let name = format!("operations/{}", state.operations.len());
            let running = Arc::new(RunningAction { name: name.clone(), ended, process: Mutex::default() });
            state.operations.insert(name, Arc::clone(&running));
            running
        };
        let cached =
            (!request.skip_cache_lookup).then(|| self.0.state().results.get(&digest.hash).cloned()).flatten();
        match cached {
            Some(result) => {
                let response = ExecuteResponse {
                    result: Some(result),
                    cached_result: true,
                    ..ExecuteResponse::default()
                };
                running.ended.send_replace(Some(response));
            }
            None => {
                let (cluster, running, fault) = (Arc::clone(&self.0), Arc::clone(&running), fault.clone());
                tokio::spawn(async move {
                    let response = execute(&cluster, &digest, &running, fault).await;
                    running.ended.send_replace(Some(response));
                });
            }
        }
        Ok(Response::new(news(&self.0, &running, matches!(fault, Some(Fault::CutStream)))))
    }

    async fn wait_execution(&self, request: Request<WaitExecutionRequest>) -> Result<Response<News>, Status> {
        self.0.called("WaitExecution").await?;
        let name = request.into_inner().name;
        let running = self.0.state().operations.get(&name).cloned();
        let running = running.ok_or_else(|| Status::not_found("no such operation"))?;
        Ok(Response::new(news(&self.0, &running, false)))
    }
}

/// The news of an action: first that it runs, then its end. An action that nobody listens to any more is cancelled.
fn news(cluster: &Arc<Cluster>, running: &Arc<RunningAction>, is_cut: bool) -> News {
    let (sender, receiver) = tokio::sync::mpsc::channel(4);
    let (name, mut ended) = (running.name.clone(), running.ended.subscribe());
    let (cluster, running) = (Arc::clone(cluster), Arc::clone(running));
    tokio::spawn(async move {
        let begun = Operation { name: name.clone(), ..Operation::default() };
        if sender.send(Ok(begun)).await.is_err() || is_cut {
            return;
        }
        let response = tokio::select! {
            response = ended.wait_for(Option::is_some) => match response {
                Ok(response) => response.clone().unwrap(),
                Err(_) => return,
            },
            () = sender.closed() => return running.cancel(&cluster),
        };
        let any = protobuf::Any {
            type_url: "type.googleapis.com/build.bazel.remote.execution.v2.ExecuteResponse".into(),
            value: response.encode_to_vec(),
        };
        let result = Some(operation::Result::Response(any));
        let _ = sender.send(Ok(Operation { name, done: true, result, ..Operation::default() })).await;
    });
    ReceiverStream::new(receiver)
}

async fn execute(
    cluster: &Arc<Cluster>,
    digest: &Digest,
    running: &Arc<RunningAction>,
    fault: Option<Fault>,
) -> ExecuteResponse {
    let _slot = cluster.slots.acquire().await.unwrap();
    {
        cluster.change(|state| {
            state.at_once += 1;
            state.most_at_once = state.most_at_once.max(state.at_once);
        });
    }
    if !cluster.options.delay.is_zero() {
        tokio::time::sleep(cluster.options.delay).await;
    }
    let (cluster, digest, running) = (Arc::clone(cluster), digest.clone(), Arc::clone(running));
    tokio::task::spawn_blocking(move || {
        let executed = run(&cluster, &digest, &running);
        let mut state = cluster.state();
        state.at_once -= 1;
        match (executed, fault) {
            (Err(missing), _) => ExecuteResponse {
                status: Some(rpc::Status {
                    code: Code::FailedPrecondition as i32,
                    message: format!("missing blob {missing}"),
                    details: Vec::new(),
                }),
                ..ExecuteResponse::default()
            },
            (Ok(_), Some(Fault::WorkerDies(exit_code))) => ExecuteResponse {
                result: Some(ActionResult { exit_code, ..ActionResult::default() }),
                ..ExecuteResponse::default()
            },
            (Ok((result, do_not_cache)), _) => {
                state.executed += 1;
                if !do_not_cache && result.exit_code == 0 {
                    state.results.insert(digest.hash, result.clone());
                }
                ExecuteResponse { result: Some(result), ..ExecuteResponse::default() }
            }
        }
    })
    .await
    .unwrap()
}

fn blob(cluster: &Cluster, digest: &Option<Digest>) -> Result<Vec<u8>, String> {
    let digest = digest.as_ref().unwrap();
    if digest.size_bytes == 0 {
        return Ok(Vec::new());
    }
    cluster.state().blobs.get(&digest.hash).cloned().ok_or_else(|| digest.hash.clone())
}

fn run(cluster: &Cluster, digest: &Digest, running: &RunningAction) -> Result<(ActionResult, bool), String> {
    let action = Action::decode(blob(cluster, &Some(digest.clone()))?.as_slice()).unwrap();
    let command = Command::decode(blob(cluster, &action.command_digest)?.as_slice()).unwrap();
    if cluster.options.pretends {
        let passed = b"howcome 1\nfolder /work\nstep 0 0 0 0 0 0 0 0 0\n\n".to_vec();
        let digest = BlobDigest::of(&passed).to_message();
        cluster.state().blobs.insert(digest.hash.clone(), passed);
        let path = command.output_paths[0].clone();
        let file = OutputFile { path, digest: Some(digest), ..OutputFile::default() };
        return Ok((ActionResult { output_files: vec![file], ..ActionResult::default() }, true));
    }
    let folder = tempfile::Builder::new().prefix("fake-worker-").tempdir().unwrap();
    let root = folder.path().join("root");
    stage(cluster, &action.input_root_digest, &root, &folder.path().join("shared"))?;
    let mut process = std::process::Command::new(&command.arguments[0]);
    process.args(&command.arguments[1..]).current_dir(&root).env_clear().stdin(Stdio::null());
    process.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    process.envs(command.environment_variables.iter().map(|variable| (&variable.name, &variable.value)));
    let child = {
        let mut known = running.process.lock().unwrap();
        if known.is_cancelled {
            return Ok((ActionResult { exit_code: 137, ..ActionResult::default() }, true));
        }
        let child = process.spawn().unwrap();
        known.group = Some(Pid::from_raw(child.id().cast_signed()));
        child
    };
    let ended = child.wait_with_output().unwrap();
    running.process.lock().unwrap().group = None;
    end_all_in(folder.path());
    let mut result = ActionResult {
        exit_code: ended.status.code().unwrap_or(137),
        stderr_raw: ended.stderr,
        ..ActionResult::default()
    };
    for path in &command.output_paths {
        if let Ok(bytes) = fs::read(root.join(path)) {
            let digest = BlobDigest::of(&bytes).to_message();
            cluster.state().blobs.insert(digest.hash.clone(), bytes);
            result.output_files.push(OutputFile {
                path: path.clone(),
                digest: Some(digest),
                ..OutputFile::default()
            });
        }
    }
    make_removable(folder.path());
    Ok((result, action.do_not_cache))
}

fn stage(cluster: &Cluster, digest: &Option<Digest>, place: &Path, shared: &Path) -> Result<(), String> {
    let directory = Directory::decode(blob(cluster, digest)?.as_slice()).unwrap();
    fs::create_dir_all(place).unwrap();
    for file in &directory.files {
        let path = place.join(&file.name);
        let bytes = blob(cluster, &file.digest)?;
        let mode = if file.is_executable { 0o755 } else { 0o644 };
        if cluster.options.shares_files {
            fs::create_dir_all(shared).unwrap();
            let one = shared.join(format!("{}-{mode:o}", file.digest.as_ref().unwrap().hash));
            if !one.exists() {
                fs::write(&one, bytes).unwrap();
                fs::set_permissions(&one, fs::Permissions::from_mode(mode & 0o555)).unwrap();
            }
            fs::hard_link(&one, &path).unwrap();
        } else {
            fs::write(&path, bytes).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
    }
    for link in &directory.symlinks {
        std::os::unix::fs::symlink(&link.target, place.join(&link.name)).unwrap();
    }
    for inner in &directory.directories {
        stage(cluster, &inner.digest, &place.join(&inner.name), shared)?;
    }
    Ok(())
}

/// Ends what an action has started in groups of its own, as the container of a real worker does.
fn end_all_in(folder: &Path) {
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let number = process.file_name().to_str().and_then(|name| name.parse::<i32>().ok());
        let is_inside =
            || fs::read_link(process.path().join("cwd")).is_ok_and(|place| place.starts_with(folder));
        if let Some(number) = number.filter(|_| is_inside()) {
            let _ = kill(Pid::from_raw(number), Signal::SIGKILL);
        }
    }
}

fn make_removable(folder: &Path) {
    let _ = std::process::Command::new("chmod").args(["-R", "u+rwX"]).arg(folder).status();
}

#[tonic::async_trait]
impl Operations for Service {
    async fn cancel_operation(
        &self,
        request: Request<CancelOperationRequest>,
    ) -> Result<Response<protobuf::Empty>, Status> {
        self.0.called("CancelOperation").await?;
        let running = self.0.state().operations.get(&request.into_inner().name).cloned();
        if let Some(running) = running {
            running.cancel(&self.0);
        }
        Ok(Response::new(protobuf::Empty {}))
    }

    async fn list_operations(
        &self,
        _: Request<ListOperationsRequest>,
    ) -> Result<Response<ListOperationsResponse>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn get_operation(&self, _: Request<GetOperationRequest>) -> Result<Response<Operation>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn delete_operation(
        &self,
        _: Request<DeleteOperationRequest>,
    ) -> Result<Response<protobuf::Empty>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn wait_operation(&self, _: Request<WaitOperationRequest>) -> Result<Response<Operation>, Status> {
        Err(Status::unimplemented("nobody needs it"))
    }
}
