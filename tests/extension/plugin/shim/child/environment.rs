use super::*;

fn names(found: &[&str], with_password: bool) -> Vec<String> {
    let given = found.iter().map(|name| ((*name).to_owned(), String::new()));
    passed_on(given, with_password).map(|(name, _)| name).collect()
}

#[test]
fn only_listed_variables_are_passed_on() {
    let given = [
        "PATH",
        "https_proxy",
        "AWS_SECRET_ACCESS_KEY",
        "POOLKEEPER_X",
        "LC_ALL",
        "LD_PRELOAD",
        "PGSTORE_DSN",
        "SSL_CERT_FILE",
    ];
    let passed = ["PATH", "https_proxy", "POOLKEEPER_X", "LC_ALL", "SSL_CERT_FILE"];

    assert_eq!(names(&given, true), passed);
}

#[test]
fn the_password_goes_only_to_a_process_without_a_key_file() {
    assert_eq!(names(&[PASSWORD], true), [PASSWORD]);
    assert!(names(&[PASSWORD], false).is_empty());
}
