use super::*;

#[test]
fn a_lost_call_is_told_from_a_late_one() {
    assert_eq!(lost(&Status::deadline_exceeded(""), &spawned()).status, 504);
    assert_eq!(lost(&Status::unavailable(""), &spawned()).status, 502);
}

#[test]
fn the_way_out_of_a_late_call_is_that_of_the_way_to_start() {
    let attached = Launch::Attach("/shared/p.sock".into());

    assert!(late_hint(&spawned()).contains("for 45 seconds is replaced by itself"));
    assert!(late_hint(&attached).contains("for 45 seconds, restart it"));
}

fn spawned() -> Launch {
    Launch::Spawn(vec!["/opt/own/poolkeeper".to_owned()])
}

#[test]
fn a_process_that_ends_again_and_again_is_not_starting() {
    let codes: Vec<&str> = (3..7).map(|failures| absent("x", failures, &spawned(), false).code).collect();

    assert_eq!(codes, ["starting", "starting", "not_running", "not_running"]);
}

#[test]
fn the_remedy_is_that_of_the_way_to_start() {
    let attached = Launch::Attach("/shared/p.sock".into());
    let unstartable = format!("its program cannot be started: check {COMMAND}");
    assert!(absent(&unstartable, 0, &spawned(), false).hint.contains("plugin install"));
    assert!(absent("x", 0, &attached, false).hint.contains("plugin serve --socket"));
    assert!(!absent("x", 0, &attached, false).hint.contains("plugin install"));
}

#[test]
fn a_process_that_was_killed_needs_no_other_installation() {
    let hint = absent("the process ended (signal 9)", 0, &spawned(), false).hint;
    assert!(!hint.contains("plugin install"));
    assert!(hint.contains("plugin status"));
}

#[test]
fn a_path_of_the_machine_is_for_holders_of_the_key() {
    let attached = Launch::Attach("/shared/p.sock".into());
    let silent = format!("it is silent: check {COMMAND}");
    let foreign = "/shared belongs to user 1";

    assert!(absent(&silent, 0, &spawned(), false).error.contains("/opt/own"));
    assert!(absent(&silent, 0, &spawned(), true).error.ends_with(COMMAND));
    assert!(absent(foreign, 0, &attached, false).error.contains(foreign));
    assert!(absent(foreign, 0, &attached, true).error.ends_with("poolkeeper.socket"));
    assert!(absent("protocol 1/2", 0, &attached, true).error.ends_with("1/2"));
}
