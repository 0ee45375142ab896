use super::*;

#[test]
fn a_line_names_the_socket() {
    assert_eq!(socket_of("1|1|unix|/tmp/s|grpc\n", "0"), Ok("/tmp/s".into()));
    assert_eq!(socket_of("1|1|unix|/tmp/s|grpc|cert|true\n", "0"), Ok("/tmp/s".into()));
}

#[test]
fn other_versions_are_refused_with_both_named() {
    let refusal = socket_of("1|2|unix|/tmp/s|grpc", "0.3.0").unwrap_err();

    assert!(refusal.contains("1/2") && refusal.contains("1/1") && refusal.contains("0.3.0"), "{refusal}");
}

#[test]
fn garbage_is_refused_and_not_repeated() {
    for line in ["", "Traceback: sk-secret", "1|1|tcp|127.0.0.1:1|grpc", "1|1|unix||grpc", "|||||"] {
        assert!(!socket_of(line, "0").unwrap_err().contains("secret"), "{line}");
    }
}
