use super::*;

fn launch(text: &str) -> Launch {
    Settings::read(text.as_bytes(), 3).launch
}

fn spawned(words: &[&str]) -> Launch {
    Launch::Spawn(words.iter().map(|word| (*word).to_owned()).collect())
}

#[test]
fn without_a_command_the_program_on_the_path_is_started() {
    let expected = spawned(&["poolkeeper", "plugin", "serve"]);

    for text in ["enabled: true\npriority: 0\n", "", "command: []", "command: 7", "{unclosed", "- list"] {
        assert_eq!(launch(text), expected, "{text}");
    }
}

#[test]
fn a_command_is_a_program_or_its_words() {
    assert_eq!(launch("command: /opt/bin/poolkeeper"), spawned(&["/opt/bin/poolkeeper", "plugin", "serve"]));
    assert_eq!(launch("command:\n  - /opt/python\n  - -m\n  - x\n"), spawned(&["/opt/python", "-m", "x"]));
}

#[test]
fn a_socket_takes_the_place_of_a_command() {
    assert_eq!(launch("socket: /shared/p.sock\ncommand: x"), Launch::Attach("/shared/p.sock".into()));
}

#[test]
fn only_changes_of_the_launch_replace_the_process() {
    let before = Settings::read(b"workers: 3", 3);

    assert!(!before.needs_restart(&Settings::read(b"workers: 4", 3)));
    assert!(before.needs_restart(&Settings::read(b"command: x", 3)));
    assert!(before.needs_restart(&Settings::read(b"management-key-file: /k", 3)));
}
