use super::*;

#[test]
fn the_address_is_the_loopback_one_of_the_configuration() {
    let cases = [
        ("port: 8317", "http://127.0.0.1:8317"),
        ("host: 0.0.0.0\nport: 8317", "http://127.0.0.1:8317"),
        ("host: ::1\nport: 1\ntls:\n  enable: true", "https://[::1]:1"),
        ("port: 0", ""),
        ("", ""),
    ];
    for (text, expected) in cases {
        let document = YamlLoader::load_from_str(text).unwrap().into_iter().next().unwrap_or(Yaml::Null);
        assert_eq!(address_in(&document), expected, "{text}");
    }
}

#[test]
fn a_gateway_that_comes_later_is_waited_for() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let reserved = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = reserved.local_addr().unwrap();
    drop(reserved);

    runtime.block_on(async {
        let waiting = tokio::spawn(async move { accepts(&address.to_string()).await });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        let _listener = tokio::net::TcpListener::bind(address).await.unwrap();
        waiting.await.unwrap();
    });
}

#[test]
fn the_configuration_is_the_one_the_gateway_was_started_with() {
    let cases: [(&[&str], &str); 5] = [
        (&[], "/g/config.yaml"),
        (&["--config", "/etc/a.yaml"], "/etc/a.yaml"),
        (&["-config=b.yaml"], "/g/b.yaml"),
        (&["-config"], "/g/config.yaml"),
        (&["config", "x"], "/g/config.yaml"),
    ];
    for (arguments, expected) in cases {
        let words: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(named_configuration(&words, Path::new("/g")), Path::new(expected));
    }
}
