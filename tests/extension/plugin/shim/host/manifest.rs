use super::*;

#[test]
fn the_metadata_are_what_a_gateway_demands() {
    let metadata = &registration(3)["metadata"];

    for name in ["Name", "Version", "Author", "GitHubRepository"] {
        assert!(metadata[name].as_str().is_some_and(|text| !text.is_empty()), "{name}");
    }
    assert_eq!(version(), env!("CARGO_PKG_VERSION"));
}

#[test]
fn no_schema_above_the_gateways_is_claimed() {
    for (host, answered) in [(0, 1), (1, 1), (3, 3), (6, 6), (9, 6)] {
        assert_eq!(registration(host)["schema_version"], json!(answered));
    }
}

#[test]
fn one_page_has_a_menu_and_no_route_has_one() {
    let found = routes();
    let with_menu: Vec<&Value> = ["routes", "resources"]
        .iter()
        .flat_map(|kind| found[kind].as_array().unwrap())
        .filter(|row| row.get("Menu").is_some())
        .collect();

    assert_eq!(with_menu.len(), 1);
    assert_eq!(with_menu[0]["Path"], json!("/inspection"));
    assert_eq!(with_menu[0]["Menu"], json!("Poolkeeper"));
}
