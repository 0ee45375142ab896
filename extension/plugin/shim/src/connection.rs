//! One connection to the process: health check, broker, the calls of the contract.

use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::uri::{PathAndQuery, Uri};
use hyper::body::Incoming;
use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::UnixStream;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::body::Body;
use tonic::client::Grpc;
use tonic::{Code, Request, Status};
use tonic_prost::ProstCodec;
use tower_service::Service;

use crate::child::liveness::{Signs, LIFELESS};
use crate::contract::{
    ConfigureRequest, ConfigureResponse, HttpRequest, HttpResponse, QuiesceRequest, QuiesceResponse,
};
use crate::go_plugin::{ConnInfo, Empty};

const MESSAGE_LIMIT: usize = 16 * 1024 * 1024;
const QUICK: Duration = Duration::from_secs(5);
const QUESTION: Duration = Duration::from_secs(4 * LIFELESS as u64);

#[derive(Clone, PartialEq, prost::Message)]
struct HealthRequest {
    #[prost(string, tag = "1")]
    service: String,
}

#[derive(Clone, PartialEq, prost::Message)]
struct HealthResponse {
    #[prost(int32, tag = "1")]
    status: i32,
}

/// End of the sentences about a process that takes a connection and says nothing.
pub const IN_TIME: &str = "in time";

const SERVING: i32 = 1;

/// One HTTP/2 connection; it is not opened again, because its end is the end of the process.
#[derive(Clone)]
struct Channel(SendRequest<Body>);

impl Channel {
    async fn open(socket: PathBuf) -> Result<Self, String> {
        let refused = |error: &dyn std::fmt::Display| format!("the process cannot be reached ({error})");
        let stream = UnixStream::connect(socket).await.map_err(|error| refused(&error))?;
        let opening = http2::handshake(TokioExecutor::new(), TokioIo::new(stream));
        let (sender, connection) = opening.await.map_err(|error| refused(&error))?;
        tokio::spawn(async move { drop(connection.await) });
        Ok(Self(sender))
    }

    /// The authority is never resolved, but the protocol wants one.
    fn client(&self) -> Grpc<Self> {
        Grpc::with_origin(self.clone(), Uri::from_static("http://localhost"))
    }
}

impl Service<http::Request<Body>> for Channel {
    type Response = http::Response<Incoming>;
    type Error = hyper::Error;
    type Future = Pin<Box<dyn std::future::Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(self.0.send_request(request))
    }
}

/// A connection that passed its health check.
#[derive(Clone)]
pub struct Connection {
    channel: Channel,
    signs: Signs,
    broken: watch::Receiver<bool>,
}

impl Connection {
    /// Connect, check the health, and open the stream that lives as long as the process.
    pub async fn open(socket: PathBuf, signs: Signs) -> Result<Self, String> {
        let opening = tokio::time::timeout(QUICK, Channel::open(socket));
        let channel = opening.await.map_err(|_| format!("the process cannot be reached {IN_TIME}"))??;
        let (say, broken) = watch::channel(false);
        let connection = Self { channel, signs, broken };
        let serves = connection.health(QUICK).await.map_err(|status| phrase(&status))?;
        if !serves {
            return Err("the process says that it is not serving".to_owned());
        }
        connection.start_broker(say);
        Ok(connection)
    }

    /// Ask for a sign of life, for longer than a process without one is kept.
    pub async fn ask(&self) {
        drop(self.health(QUESTION).await);
    }

    async fn health(&self, deadline: Duration) -> Result<bool, Status> {
        let question = HealthRequest { service: "plugin".to_owned() };
        let answer: HealthResponse = self.unary("/grpc.health.v1.Health/Check", question, deadline).await?;
        Ok(answer.status == SERVING)
    }

    /// The stream that lives as long as the process does; its end is the first sign of trouble. No service is announced.
    fn start_broker(&self, say: watch::Sender<bool>) {
        let mut client = self.channel.client();
        tokio::spawn(async move {
            let (_open, announced) = mpsc::channel(1);
            let path = PathAndQuery::from_static("/plugin.GRPCBroker/StartStream");
            if client.ready().await.is_ok() {
                let codec = ProstCodec::<ConnInfo, ConnInfo>::default();
                let stream = client.streaming(Request::new(ReceiverStream::new(announced)), path, codec).await;
                if let Ok(mut answers) = stream.map(tonic::Response::into_inner) {
                    while matches!(answers.message().await, Ok(Some(_))) {}
                }
            }
            let _ = say.send(true);
        });
    }

    pub async fn broken(&self) {
        drop(self.broken.clone().wait_for(|broken| *broken).await);
    }

    pub async fn configure(&self, request: ConfigureRequest) -> Result<ConfigureResponse, String> {
        self.unary("/gateway.plugin.v1.Plugin/Configure", request, Duration::from_secs(30))
            .await
            .map_err(|status| format!("the process refused its settings: {}", phrase(&status)))
    }

    pub async fn handle(&self, request: HttpRequest, deadline: Duration) -> Result<HttpResponse, Status> {
        self.unary("/gateway.plugin.v1.Plugin/Handle", request, deadline).await
    }

    /// Ask the process to stop acting by itself, and to end; return whether it answered in time.
    pub async fn shut_down(&self, reason: &str, deadline: Duration) -> bool {
        let quiesce = QuiesceRequest { reason: reason.to_owned() };
        let quiesced: Result<QuiesceResponse, Status> =
            self.unary("/gateway.plugin.v1.Plugin/Quiesce", quiesce, deadline).await;
        if quiesced.is_err() {
            return false;
        }
        let ended: Result<Empty, Status> = self.unary("/plugin.GRPCController/Shutdown", Empty {}, deadline).await;
        ended.is_ok()
    }

    async fn unary<A, B>(&self, path: &'static str, message: A, deadline: Duration) -> Result<B, Status>
    where
        A: prost::Message + Send + Sync + 'static,
        B: prost::Message + Default + Send + Sync + 'static,
    {
        let mut client =
            self.channel.client().max_decoding_message_size(MESSAGE_LIMIT).max_encoding_message_size(MESSAGE_LIMIT);
        let mut request = Request::new(message);
        request.set_timeout(deadline);
        let call = async {
            client.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
            client.unary(request, PathAndQuery::from_static(path), ProstCodec::<A, B>::default()).await
        };
        match tokio::time::timeout(deadline, call).await {
            Ok(answer) => answer.map(tonic::Response::into_inner).inspect(|_| self.signs.note()),
            Err(_) => Err(Status::deadline_exceeded("no answer in time")),
        }
    }
}

pub fn phrase(status: &Status) -> String {
    match status.code() {
        Code::DeadlineExceeded => format!("no answer {IN_TIME}"),
        Code::Unavailable => "the connection to the process broke".to_owned(),
        code => format!("{code:?}: {}", status.message()),
    }
}
