//! Has actions executed, whatever happens to workers, servers and connections in the meantime.

use crate::BlobDigest;
use crate::calls::{CallError, MOST_TRIES, Patience, said, verdict};
use crate::protocol::{
    ActionResult, CancelOperationRequest, Code, Connection, ExecuteRequest, ExecuteResponse,
    GetActionResultRequest, Message, Operation, Status, Streaming, UpdateActionResultRequest,
    WaitExecutionRequest, digest_function, operation,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;

/// A stream of news about an action that is silent for this long is opened again: a connection can hang for ever.
const LONGEST_SILENCE: Duration = Duration::from_secs(60);

/// Executes actions.
#[derive(Clone, Debug)]
pub(crate) struct ActionService {
    pub(crate) connection: Connection,
    pub(crate) instance: String,
    pub(crate) patience: Patience,
    /// How many messages are on their way for which nobody waits.
    pub(crate) unfinished: Arc<AtomicUsize>,
}

/// The result of an action.
#[derive(Debug)]
pub(crate) struct ExecutedAction {
    pub(crate) result: ActionResult,
    pub(crate) is_cached: bool,
}

impl ActionService {
    /// The result of an action in the cache.
    pub(crate) async fn look_up(
        &self,
        action: BlobDigest,
        files: &[String],
    ) -> Result<Option<ActionResult>, CallError> {
        let found = self
            .patience
            .call("looking into the action cache", || {
                let mut client = self.connection.cache.clone();
                let request = GetActionResultRequest {
                    instance_name: self.instance.clone(),
                    action_digest: Some(action.to_message()),
                    inline_output_files: files.to_vec(),
                    digest_function: digest_function::Value::Sha256 as i32,
                    ..GetActionResultRequest::default()
                };
                async move {
                    match client.get_action_result(request).await {
                        // Also if the result is there, but not the files that it names.
                        Err(status) if matches!(status.code(), Code::NotFound | Code::FailedPrecondition) => {
                            Ok(None)
                        }
                        reply => reply.map(|reply| Some(reply.into_inner())),
                    }
                }
            })
            .await?;
        Ok(found.filter(|result| result.exit_code == 0))
    }

    /// Writes a result to the cache. If that does not work, it is not cached.
    pub(crate) async fn publish(&self, action: BlobDigest, result: ActionResult) {
        let mut client = self.connection.cache.clone();
        let request = UpdateActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(action.to_message()),
            action_result: Some(result),
            results_cache_policy: None,
            digest_function: digest_function::Value::Sha256 as i32,
        };
        let _ = tokio::time::timeout(self.patience.call_timeout, client.update_action_result(request)).await;
    }

    /// Has an action executed, or taken from the cache unless `is_fresh`.
    pub(crate) async fn execute(
        &self,
        action: BlobDigest,
        is_fresh: bool,
        files: &[String],
    ) -> Result<ExecutedAction, CallError> {
        let (mut tries, mut forgotten) = (0, 0);
        // Cancels the operation if nobody waits for it any more.
        let mut running = RunningOperation { service: self.clone(), name: None };
        loop {
            let news = match running.name.clone() {
                Some(name) => self.attach(name).await,
                None => self.begin(action, is_fresh, files).await,
            };
            let followed = match news {
                Ok(news) => follow(news, &mut running.name).await,
                Err(status) => Followed::Broken(status),
            };
            let status = match followed {
                Followed::Done(response) => {
                    // The operation has ended, in whatever way.
                    running.name = None;
                    let ExecuteResponse { result, cached_result, status, .. } = *response;
                    match (status.filter(|status| status.code != 0), result) {
                        (Some(status), _) if Code::from(status.code) == Code::Internal => {
                            let status = Status::internal(status.message);
                            return Err(CallError::Failed(said(&status)));
                        }
                        (Some(status), _) => Status::new(Code::from(status.code), status.message),
                        (None, Some(result)) => {
                            return Ok(ExecutedAction { result, is_cached: cached_result });
                        }
                        (None, None) => Status::internal("an action ended without a result"),
                    }
                }
                Followed::Silent => continue,
                Followed::Broken(status) => {
                    if running.name.is_some() && status.code() == Code::NotFound {
                        // The server has restarted, or has forgotten the operation. It begins again.
                        running.name = None;
                        forgotten += 1;
                        if forgotten < MOST_TRIES {
                            continue;
                        }
                        Status::unavailable("the server has forgotten an action")
                    } else {
                        status
                    }
                }
            };
            if status.code() == Code::NotFound {
                // Some servers say so if they lack files of the action.
                return Err(CallError::MissingBlobs(status.message().to_owned()));
            }
            tries += 1;
            if let Some(error) = verdict("executing a test", &status, tries) {
                return Err(error);
            }
            self.patience.wait(tries).await;
        }
    }

    async fn begin(
        &self,
        action: BlobDigest,
        is_fresh: bool,
        files: &[String],
    ) -> Result<Streaming<Operation>, Status> {
        let mut client = self.connection.execution.clone();
        let request = ExecuteRequest {
            instance_name: self.instance.clone(),
            skip_cache_lookup: is_fresh,
            action_digest: Some(action.to_message()),
            inline_output_files: files.to_vec(),
            digest_function: digest_function::Value::Sha256 as i32,
            ..ExecuteRequest::default()
        };
        // Some servers reply only when the action has begun, so silence is no error.
        let stream =
            tokio::time::timeout(LONGEST_SILENCE.max(self.patience.call_timeout), client.execute(request));
        stream
            .await
            .unwrap_or_else(|_| Err(Status::deadline_exceeded("there was no reply in time")))
            .map(tonic_inner)
    }

    async fn attach(&self, name: String) -> Result<Streaming<Operation>, Status> {
        let mut client = self.connection.execution.clone();
        let stream = tokio::time::timeout(
            self.patience.call_timeout,
            client.wait_execution(WaitExecutionRequest { name }),
        );
        stream
            .await
            .unwrap_or_else(|_| Err(Status::deadline_exceeded("there was no reply in time")))
            .map(tonic_inner)
    }
}

fn tonic_inner<T>(response: tonic::Response<T>) -> T {
    response.into_inner()
}

/// How a stream of news about an action ended.
enum Followed {
    Done(Box<ExecuteResponse>),
    Silent,
    Broken(Status),
}

async fn follow(mut news: Streaming<Operation>, name: &mut Option<String>) -> Followed {
    loop {
        let Ok(heard) = tokio::time::timeout(LONGEST_SILENCE, news.message()).await else {
            return match name {
                Some(_) => Followed::Silent,
                None => Followed::Broken(Status::deadline_exceeded("there is no news of an action")),
            };
        };
        let operation = match heard {
            Err(status) => return Followed::Broken(status),
            Ok(None) => {
                return Followed::Broken(Status::unavailable("the news of an action ended too early"));
            }
            Ok(Some(operation)) => operation,
        };
        if !operation.name.is_empty() {
            *name = Some(operation.name.clone());
        }
        if !operation.done {
            continue;
        }
        return match operation.result {
            Some(operation::Result::Response(any)) => match ExecuteResponse::decode(any.value.as_slice()) {
                Ok(response) => Followed::Done(Box::new(response)),
                Err(error) => Followed::Broken(Status::internal(error.to_string())),
            },
            Some(operation::Result::Error(status)) => {
                *name = None;
                Followed::Broken(Status::new(Code::from(status.code), status.message))
            }
            None => {
                *name = None;
                Followed::Broken(Status::internal("an action ended without a result"))
            }
        };
    }
}

/// An operation that is cancelled if nobody waits for it any more.
struct RunningOperation {
    service: ActionService,
    name: Option<String>,
}

impl Drop for RunningOperation {
    fn drop(&mut self) {
        let (Some(name), Ok(handle)) = (self.name.take(), Handle::try_current()) else { return };
        let (mut client, unfinished) =
            (self.service.connection.operations.clone(), Arc::clone(&self.service.unfinished));
        unfinished.fetch_add(1, Ordering::SeqCst);
        handle.spawn(async move {
            // Servers without this service notice that the stream is closed.
            let request = CancelOperationRequest { name };
            let _ = tokio::time::timeout(Duration::from_secs(5), client.cancel_operation(request)).await;
            unfinished.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

/// Why an action whose result is useless is tried again, or not.
pub(crate) fn useless(result: &ActionResult, tries: u32) -> Option<CallError> {
    let said = String::from_utf8_lossy(&result.stderr_raw).trim().to_owned();
    let said = if said.is_empty() { String::new() } else { format!(" and said: {said}") };
    (tries >= MOST_TRIES).then(|| {
        CallError::Lost(format!(
            "a worker could not run the script of howcome {tries} times; it ended with exit code {}{said}; the script needs sh, find, \
             touch, date and cp in its PATH, and ends if the test kills it or takes all memory",
            result.exit_code
        ))
    })
}
