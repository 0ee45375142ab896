use super::*;

#[test]
fn only_folders_of_processes_that_are_gone_are_removed() {
    let parent = SocketFolder::make(&std::env::temp_dir()).unwrap();
    for name in [format!("{PREFIX}7-0"), format!("{PREFIX}8-0"), format!("{PREFIX}x"), "other".to_owned()] {
        fs::create_dir(parent.path().join(name)).unwrap();
    }

    remove_stale(parent.path(), |process| process == 7);

    let mut left: Vec<String> =
        fs::read_dir(parent.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["other".to_owned(), format!("{PREFIX}8-0"), format!("{PREFIX}x")]);
}

#[test]
fn a_long_folder_for_temporary_files_is_not_used() {
    assert_eq!(short_enough("/var/tmp".into()), Path::new("/var/tmp"));
    assert_eq!(short_enough("/long".repeat(20).into()), Path::new("/tmp"));
}

#[test]
fn the_folder_is_for_our_user_alone_and_goes_with_its_value() {
    let folder = SocketFolder::make(&std::env::temp_dir()).unwrap();
    let path = folder.path().to_owned();

    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o700);
    drop(folder);
    assert!(!path.exists());
}

#[test]
fn a_missing_socket_and_an_open_folder_are_refused() {
    let folder = SocketFolder::make(&std::env::temp_dir()).unwrap();

    assert!(check_socket(&folder.path().join("absent")).is_err());
}

#[test]
fn a_path_too_long_for_a_socket_is_called_so() {
    let long = std::env::temp_dir().join("x".repeat(110));

    assert!(check_socket(&long).unwrap_err().contains("bytes, and 102 at most"));
}
