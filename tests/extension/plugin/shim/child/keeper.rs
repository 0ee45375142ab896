use super::*;

#[test]
fn pauses_double_up_to_five_seconds() {
    let mut backoff = Backoff::default();

    let pauses: Vec<u128> = (0..9).map(|_| backoff.after(Duration::ZERO).as_millis()).collect();

    assert_eq!(pauses, [50, 100, 200, 400, 800, 1600, 3200, 5000, 5000]);
}

#[test]
fn a_long_life_starts_over() {
    let mut backoff = Backoff::default();
    backoff.after(Duration::ZERO);
    backoff.after(Duration::ZERO);

    assert_eq!(backoff.after(LONG_LIFE), FIRST);
}
