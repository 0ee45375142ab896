//! The service of the gateway's side, on a socket for the process.

use std::convert::Infallible;
use std::future::Future;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::service::TowerToHyperService;
use tokio::net::UnixListener;
use tokio::task::{JoinHandle, JoinSet};
use tonic::body::Body;
use tonic::server::Grpc;
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;
use tower_service::Service;

use crate::child::liveness::Signs;
use crate::connection::MESSAGE_LIMIT;
use crate::contract as pb;
use crate::host::abi::Host;
use crate::host::callbacks;

const DEADLINE: Duration = Duration::from_secs(10);
type Reply = Pin<Box<dyn Future<Output = http::Response<Body>> + Send>>;
type Answer<T> = Pin<Box<dyn Future<Output = Result<T, Status>> + Send>>;

/// Callbacks of the gateway and the facts about it.
#[derive(Clone)]
pub struct HostService {
    /// The gateway's callback.
    pub host: Host,
    /// Facts about the gateway.
    pub info: pb::HostInfo,
    /// Signs of life of the process, each callback being one.
    pub signs: Signs,
}

impl HostService {
    /// Serve on a socket until the task is aborted.
    pub fn serve(self, socket: &Path) -> Result<JoinHandle<()>, String> {
        let refused = |error: std::io::Error| format!("{}: {error}", socket.display());
        match std::fs::remove_file(socket) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(refused(error)),
            _ => {}
        }
        let listener = UnixListener::bind(socket).map_err(refused)?;
        std::fs::set_permissions(socket, std::fs::Permissions::from_mode(0o600)).map_err(refused)?;
        Ok(tokio::spawn(self.accept(listener)))
    }

    async fn accept(self, listener: UnixListener) {
        // dropped with this task, and with them every connection
        let mut connections = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            let service = TowerToHyperService::new(self.clone());
            let serving = http2::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service);
            connections.spawn(async move { drop(serving.await) });
            while connections.try_join_next().is_some() {}
        }
    }

    /// Run one callback on the bounded pool of blocking threads: it blocks as long as the gateway likes.
    fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(callbacks::HostCall<'_>) -> Result<T, String> + Send + 'static,
    ) -> Answer<T> {
        let host = self.host.clone();
        let task = tokio::task::spawn_blocking(move || work(&|method, request| host.call(method, request)));
        Box::pin(async move {
            match tokio::time::timeout(DEADLINE, task).await {
                Ok(Ok(answer)) => answer.map_err(Status::failed_precondition),
                Ok(Err(_)) => Err(Status::internal("the callback failed inside the library")),
                Err(_) => Err(Status::deadline_exceeded("the gateway did not answer in time")),
            }
        })
    }

    fn answer(&self, request: http::Request<Body>) -> Reply {
        self.signs.note();
        let me = self.clone();
        match request.uri().path() {
            "/gateway.plugin.v1.Host/Describe" => unary(request, move |_: pb::DescribeRequest| -> Answer<_> {
                Box::pin(async move { Ok(me.info) })
            }),
            "/gateway.plugin.v1.Host/Log" => {
                let work = move |record| me.blocking(move |host| callbacks::log(host, &record).map(|()| pb::LogAck {}));
                unary(request, work)
            }
            "/gateway.plugin.v1.Host/Credentials" => unary(request, move |_: pb::CredentialsRequest| {
                me.blocking(callbacks::credentials)
            }),
            "/gateway.plugin.v1.Host/Credential" => {
                let work =
                    move |one: pb::CredentialRequest| me.blocking(move |host| callbacks::credential(host, &one.name));
                unary(request, work)
            }
            "/gateway.plugin.v1.Host/Fetch" => unary(request, move |sent| {
                me.blocking(move |host| callbacks::fetch(host, &sent))
            }),
            _ => Box::pin(async { Status::unimplemented("this gateway has no such callback").into_http() }),
        }
    }
}

impl Service<http::Request<Incoming>> for HostService {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Incoming>) -> Self::Future {
        let request = request.map(Body::new);
        let answer = self.answer(request);
        Box::pin(async move { Ok(answer.await) })
    }
}

struct Once<A, B>(Option<Box<dyn FnOnce(A) -> Answer<B> + Send>>);

impl<A: 'static, B: Send + 'static> Service<Request<A>> for Once<A, B> {
    type Response = Response<B>;
    type Error = Status;
    type Future = Answer<Response<B>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<A>) -> Self::Future {
        let answer = self.0.take().map(|work| work(request.into_inner()));
        Box::pin(async move {
            match answer {
                Some(answer) => answer.await.map(Response::new),
                None => Err(Status::internal("a call is answered once")),
            }
        })
    }
}

fn unary<A, B>(request: http::Request<Body>, work: impl FnOnce(A) -> Answer<B> + Send + 'static) -> Reply
where
    A: prost::Message + Default + 'static,
    B: prost::Message + 'static,
{
    let work = Once(Some(Box::new(work)));
    Box::pin(async move {
        let codec = ProstCodec::<B, A>::default();
        let grpc = Grpc::new(codec).max_decoding_message_size(MESSAGE_LIMIT);
        grpc.max_encoding_message_size(MESSAGE_LIMIT).unary(work, request).await
    })
}
