//! Capabilities, blobs, and the action cache.

use super::{Cluster, Fault};
use bazel_remote_apis::build::bazel::remote::execution::v2::*;
use bazel_remote_apis::build::bazel::remote::execution::v2::{
    action_cache_server::ActionCache, capabilities_server::Capabilities,
    content_addressable_storage_server::ContentAddressableStorage,
};
use bazel_remote_apis::google::bytestream::byte_stream_server::ByteStream;
use bazel_remote_apis::google::bytestream::*;
use bazel_remote_apis::google::rpc;
use howcome_remote::BlobDigest;
use std::io::Read;
use std::sync::Arc;
use tokio_stream::Iter;
use tonic::{Code, Request, Response, Status, Streaming};

/// All services of the cluster.
#[derive(Clone)]
pub struct Service(pub Arc<Cluster>);

type Reply<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl Capabilities for Service {
    async fn get_capabilities(&self, _: Request<GetCapabilitiesRequest>) -> Reply<ServerCapabilities> {
        self.0.called("GetCapabilities").await?;
        let options = &self.0.options;
        let sha = digest_function::Value::Sha256 as i32;
        let zstd = if options.compresses { vec![compressor::Value::Zstd as i32] } else { Vec::new() };
        Ok(Response::new(ServerCapabilities {
            cache_capabilities: Some(CacheCapabilities {
                digest_functions: vec![sha],
                action_cache_update_capabilities: Some(ActionCacheUpdateCapabilities {
                    update_enabled: options.accepts_results,
                }),
                max_batch_total_size_bytes: options.largest_batch,
                supported_compressors: zstd.clone(),
                supported_batch_update_compressors: zstd,
                ..CacheCapabilities::default()
            }),
            execution_capabilities: Some(ExecutionCapabilities {
                digest_function: sha,
                exec_enabled: true,
                ..ExecutionCapabilities::default()
            }),
            ..ServerCapabilities::default()
        }))
    }
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    ruzstd::decoding::StreamingDecoder::new(bytes).unwrap().read_to_end(&mut plain).unwrap();
    plain
}

impl Service {
    /// Stores a blob if it has this digest.
    fn keep(&self, digest: &Digest, bytes: Vec<u8>) -> Result<(), Status> {
        if BlobDigest::of(&bytes).to_message() != *digest {
            return Err(Status::invalid_argument("the blob does not have this digest"));
        }
        self.0.state().blobs.insert(digest.hash.clone(), bytes);
        Ok(())
    }
}

#[tonic::async_trait]
impl ContentAddressableStorage for Service {
    async fn find_missing_blobs(
        &self,
        request: Request<FindMissingBlobsRequest>,
    ) -> Reply<FindMissingBlobsResponse> {
        let fault = self.0.called("FindMissingBlobs").await?;
        if matches!(fault, Some(Fault::BelievesAll)) {
            return Ok(Response::new(FindMissingBlobsResponse::default()));
        }
        let request = request.into_inner();
        let mut state = self.0.state();
        state.bytes += prost::Message::encoded_len(&request) as u64;
        let missing =
            request.blob_digests.into_iter().filter(|digest| !state.blobs.contains_key(&digest.hash));
        Ok(Response::new(FindMissingBlobsResponse { missing_blob_digests: missing.collect() }))
    }

    async fn batch_update_blobs(
        &self,
        request: Request<BatchUpdateBlobsRequest>,
    ) -> Reply<BatchUpdateBlobsResponse> {
        self.0.called("BatchUpdateBlobs").await?;
        let request = request.into_inner();
        let length = prost::Message::encoded_len(&request);
        assert!(length <= self.0.options.largest_batch as usize, "the client exceeds the largest batch");
        self.0.state().bytes += length as u64;
        let mut responses = Vec::new();
        for blob in request.requests {
            let bytes = if blob.compressor == compressor::Value::Zstd as i32 {
                unpacked(&blob.data)
            } else {
                blob.data
            };
            let digest = blob.digest.unwrap();
            let kept = self.keep(&digest, bytes);
            let status = kept.err().map(|status| rpc::Status {
                code: status.code() as i32,
                message: status.message().to_owned(),
                details: Vec::new(),
            });
            responses.push(batch_update_blobs_response::Response { digest: Some(digest), status });
        }
        Ok(Response::new(BatchUpdateBlobsResponse { responses }))
    }

    async fn batch_read_blobs(
        &self,
        request: Request<BatchReadBlobsRequest>,
    ) -> Reply<BatchReadBlobsResponse> {
        let fault = self.0.called("BatchReadBlobs").await?;
        let state = self.0.state();
        let read = |digest: Digest| {
            let found = state.blobs.get(&digest.hash).cloned();
            let code = if found.is_some() { Code::Ok } else { Code::NotFound };
            let mut data = found.unwrap_or_default();
            if matches!(fault, Some(Fault::WrongBytes)) {
                data = data.iter().map(|byte| if *byte == b'1' { b'0' } else { *byte }).collect();
                data.push(b'x');
            }
            let status = Some(rpc::Status { code: code as i32, message: String::new(), details: Vec::new() });
            batch_read_blobs_response::Response { digest: Some(digest), data, compressor: 0, status }
        };
        let responses = request.into_inner().digests.into_iter().map(read).collect();
        Ok(Response::new(BatchReadBlobsResponse { responses }))
    }

    type GetTreeStream = Iter<std::vec::IntoIter<Result<GetTreeResponse, Status>>>;

    async fn get_tree(&self, _: Request<GetTreeRequest>) -> Reply<Self::GetTreeStream> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn split_blob(&self, _: Request<SplitBlobRequest>) -> Reply<SplitBlobResponse> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn splice_blob(&self, _: Request<SpliceBlobRequest>) -> Reply<SpliceBlobResponse> {
        Err(Status::unimplemented("nobody needs it"))
    }

    type GetChunkMappingStream = Iter<std::vec::IntoIter<Result<GetChunkMappingResponse, Status>>>;

    async fn get_chunk_mapping(
        &self,
        _: Request<GetChunkMappingRequest>,
    ) -> Reply<Self::GetChunkMappingStream> {
        Err(Status::unimplemented("nobody needs it"))
    }

    async fn register_chunk_mapping(
        &self,
        _: Request<Streaming<RegisterChunkMappingRequest>>,
    ) -> Reply<RegisterChunkMappingResponse> {
        Err(Status::unimplemented("nobody needs it"))
    }
}

#[tonic::async_trait]
impl ByteStream for Service {
    type ReadStream = Iter<std::vec::IntoIter<Result<ReadResponse, Status>>>;

    async fn read(&self, request: Request<ReadRequest>) -> Reply<Self::ReadStream> {
        let fault = self.0.called("Read").await?;
        let name = request.into_inner().resource_name;
        let parts: Vec<&str> = name.split('/').collect();
        let hash = parts[parts.len() - 2];
        let bytes = self.0.state().blobs.get(hash).cloned();
        let mut bytes = bytes.ok_or_else(|| Status::not_found(hash.to_owned()))?;
        if matches!(fault, Some(Fault::WrongBytes)) {
            bytes.push(0);
        }
        if name.contains("compressed-blobs/zstd") {
            bytes = ruzstd::encoding::compress_to_vec(
                bytes.as_slice(),
                ruzstd::encoding::CompressionLevel::Fastest,
            );
        }
        let pieces: Vec<_> =
            bytes.chunks(100_000).map(|data| Ok(ReadResponse { data: data.to_vec() })).collect();
        Ok(Response::new(tokio_stream::iter(pieces)))
    }

    async fn write(&self, request: Request<Streaming<WriteRequest>>) -> Reply<WriteResponse> {
        self.0.called("Write").await?;
        let mut pieces = request.into_inner();
        let (mut name, mut bytes) = (String::new(), Vec::new());
        while let Some(piece) = pieces.message().await? {
            if name.is_empty() {
                name = piece.resource_name;
            }
            assert_eq!(piece.write_offset, bytes.len() as i64);
            bytes.extend_from_slice(&piece.data);
        }
        let committed_size = bytes.len() as i64;
        self.0.state().bytes += committed_size as u64;
        if name.contains("compressed-blobs/zstd") {
            bytes = unpacked(&bytes);
        }
        let parts: Vec<&str> = name.split('/').collect();
        let [hash, size] = [parts[parts.len() - 2], parts[parts.len() - 1]];
        self.keep(&Digest { hash: hash.to_owned(), size_bytes: size.parse().unwrap() }, bytes)?;
        Ok(Response::new(WriteResponse { committed_size }))
    }

    async fn query_write_status(
        &self,
        _: Request<QueryWriteStatusRequest>,
    ) -> Reply<QueryWriteStatusResponse> {
        Err(Status::unimplemented("nobody needs it"))
    }
}

#[tonic::async_trait]
impl ActionCache for Service {
    async fn get_action_result(&self, request: Request<GetActionResultRequest>) -> Reply<ActionResult> {
        self.0.called("GetActionResult").await?;
        let hash = request.into_inner().action_digest.unwrap().hash;
        let found = self.0.state().results.get(&hash).cloned();
        found.map(Response::new).ok_or_else(|| Status::not_found("no such result"))
    }

    async fn update_action_result(&self, request: Request<UpdateActionResultRequest>) -> Reply<ActionResult> {
        self.0.called("UpdateActionResult").await?;
        if !self.0.options.accepts_results {
            return Err(Status::permission_denied("only workers write results"));
        }
        let UpdateActionResultRequest { action_digest, action_result, .. } = request.into_inner();
        let (hash, result) = (action_digest.unwrap().hash, action_result.unwrap());
        let mut state = self.0.state();
        if !state.blobs.contains_key(&hash) {
            assert!(state.has_lost_blobs, "the action must be in the store");
            return Err(Status::failed_precondition("the action is not in the store"));
        }
        state.results.insert(hash, result.clone());
        Ok(Response::new(result))
    }
}
