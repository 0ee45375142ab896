use super::*;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;

fn gateway(statuses: &'static [&'static str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let authority = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for status in statuses {
            let (mut stream, _) = listener.accept().unwrap();
            let read = stream.read(&mut [0; 1024]).unwrap();
            assert!(read > 0);
            write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n").unwrap();
        }
    });
    authority
}

#[test]
fn two_misses_in_a_row_mean_that_the_plugin_is_gone() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let presence = Arc::new(Presence::default());
        presence.establish_at(gateway(&["204 No Content", "404 Not Found", "200 OK", "404 N", "404 N"])).await;

        let together = tokio::join!(presence.gone(), presence.gone());

        assert_eq!((together, presence.misses().await), (((), ()), MISSES));
    });
}

#[test]
fn a_gateway_that_never_served_the_plugin_says_nothing() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let presence = Presence::default();
        presence.establish_at(gateway(&["404 Not Found"])).await;

        assert_eq!((presence.served.get(), presence.misses().await), (None, 0));
    });
}
