use super::*;
use std::future::{pending, ready};
use std::time::Instant;

const SHORT: Duration = Duration::from_millis(4);

fn run<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(work)
}

/// Watch a process for as long as it would take an idle machine to give it up twice.
async fn watched<Q: Future>(signs: &Signs, ask: impl Fn() -> Q) -> Option<Hung> {
    let presence = Presence::default();
    let limit = SHORT * (QUIET + LIFELESS) * 2;
    tokio::time::timeout(limit, hung_in(SHORT, signs, ask, &presence)).await.ok()
}

#[test]
fn a_process_that_answers_nothing_is_given_up_after_its_time() {
    let began = Instant::now();

    let presence = Presence::default();
    let found = run(hung_in(SHORT, &Signs::default(), pending::<()>, &presence));

    assert_eq!(found, Hung::Silent);
    assert!(began.elapsed() >= SHORT * (QUIET + LIFELESS));
}

#[test]
fn a_process_that_answers_the_question_late_lives() {
    let late = || tokio::time::sleep(SHORT * (LIFELESS * 3 / 4));

    assert_eq!(run(watched(&Signs::default(), late)), None);
    assert_eq!(run(watched(&Signs::default(), || ready(()))), None);
}

#[test]
fn a_process_that_answers_other_calls_lives_without_an_answer_to_the_question() {
    let signs = Signs::default();
    let calls = async {
        loop {
            tokio::time::sleep(SHORT * (LIFELESS / 2)).await;
            signs.note();
        }
    };

    run(async {
        tokio::select! {
            () = calls => {}
            found = watched(&signs, pending::<()>) => assert_eq!(found, None),
        }
    });
}

#[test]
fn a_time_in_which_this_library_was_frozen_too_counts_one_turn() {
    let frozen_once = |found: &mut u32| {
        *found += 1;
        if *found == 3 {
            std::thread::sleep(SHORT * LIFELESS * 2);
        }
    };

    let answered = run(async {
        let signs = Signs::default();
        let mut turns = 0;
        let thaw = async {
            while turns < 3 {
                tokio::time::sleep(SHORT * 4).await;
                frozen_once(&mut turns);
            }
            tokio::time::sleep(SHORT * 4).await;
            signs.note();
            pending::<()>().await;
        };
        let presence = Presence::default();
        tokio::select! {
            () = thaw => None,
            found = hung_in(SHORT, &signs, pending::<()>, &presence) => Some(found),
            () = tokio::time::sleep(SHORT * (LIFELESS * 2 + 24)) => None,
        }
    });

    assert_eq!(answered, None);
}
