import { beforeEach, expect, test, vi } from "vitest";
import { Notices } from "../shell/notices.js";
import { speakEnglish } from "../testing/english.js";
import { Questions, settled } from "../testing/questions.js";
import { account, action, batch, plan, planned, result } from "../testing/samples.js";
import { countedReasons, questionOf, TYPED_FROM, type ChangedAccount, type Verb } from "./change_plan.js";
import { Changes } from "./changes.js";
import { batchLines, countsText, progressText, summaryOf, wentAsAsked } from "./outcome.js";
import { reversalOfCommand, reversalVerb } from "./reversal.js";

beforeEach(speakEnglish);

const healthy = (id: number) => account({ id, displayName: `relay-${id}`, lastResult: result({ account: id }) });
const ask = (
  wishes: { verb: Verb; accounts: ChangedAccount[] }[],
  plans: ReturnType<typeof plan>[],
  includesHeld = false,
) => questionOf(new Questions().client, wishes, plans, includesHeld);

test("a question names the account, what is written where, and its status", () => {
  const question = ask(
    [{ verb: "disable", accounts: [account({ id: 2, displayName: "relay-401", switch: "provider" })] }],
    [plan({ applied: [planned(2)] })],
  );
  expect(question.title).toBe("Disable relay-401 #2?");
  expect(question.lines).toEqual(["Status at the last check: Not checked."]);
  expect(question.sections[0].text).toContain("disabled: true is set at the provider");
  expect([question.size, question.typed, question.held]).toEqual([1, 0, []]);
});

test.each([
  ["its entry", {}, {}, true],
  ["a provider with all its keys", { switch: "provider" }, {}, false],
  ["what is on hold", {}, { applied: [], held: [planned(1)] }, false],
  ["what loses something", {}, { losses: ["comments"] }, false],
  ["nothing", {}, { applied: [] }, false],
])("a change of %s is plain: %#", (_, own, parts, isPlain) => {
  const question = ask([{ verb: "disable", accounts: [account(own)] }], [plan({ applied: [planned(1)], ...parts })]);
  expect(question.isPlain).toBe(isPlain);
});

test("one account that was chosen by itself is changed although it is on hold, and the question says why it is", () => {
  const held = [planned(1, { against: "Failed alike." })];
  const question = ask([{ verb: "disable", accounts: [account()] }], [plan({ held })]);
  expect(question.lines.at(-1)).toContain("Failed alike. The change is made all the same");
  expect([question.size, question.held]).toEqual([1, []]);
});

test("of several those on hold are left out by host until they are included, and others with their reason once", () => {
  const accounts = [1, 2, 3, 4].map((id) => account({ id }));
  const held = [planned(1, { against: "Failed alike." }), planned(2, { against: "Failed alike." })];
  const refused = [planned(3, { against: "The provider has 2 keys." })];
  const question = ask([{ verb: "disable", accounts }], [plan({ applied: [planned(4)], held, refused })]);
  expect(question.title).toBe("Disable 1 account?");
  expect(question.held.map(({ host, reasons, entries }) => [host, reasons, entries.length])).toEqual([
    ["relay.example", ["Failed alike."], 2],
  ]);
  expect(question.sections.at(-1)?.text).toBe("1 account is not changed: The provider has 2 keys.");
  expect(question.lines.at(-1)).toContain("(on hold: 2)");
});

test("to change what is on hold anyway says what that does, and nothing is left out", () => {
  const accounts = [1, 2].map((id) => account({ id }));
  const question = ask([{ verb: "disable", accounts }], [plan({ held: [planned(1), planned(2)] })], true);
  expect([question.size, question.held]).toEqual([2, []]);
  expect(question.lines.join(" ")).toContain("They are made now all the same");
});

test("several kinds of change are one question", () => {
  const wishes = [
    { verb: "disable" as const, accounts: [account({ id: 1 })] },
    { verb: "enable" as const, accounts: [account({ id: 2 })] },
  ];
  const question = ask(wishes, [
    plan({ applied: [planned(1)] }),
    plan({ applied: [planned(2, { action: "enable" })] }),
  ]);
  expect([question.title, question.verb, question.sections.length]).toEqual(["Make 2 changes?", "Apply", 2]);
});

test("to disable many accounts that are healthy, or of which nothing is known, their number has to be typed, a few are only warned of", () => {
  const many = Array.from({ length: TYPED_FROM }, (_, at) => healthy(at + 1));
  const question = (verb: Verb, accounts: ChangedAccount[]) =>
    ask([{ verb, accounts }], [plan({ applied: accounts.map(({ id }) => planned(id)) })]);
  expect(question("disable", many).typed).toBe(TYPED_FROM);
  expect(question("enable", many).typed).toBe(0);
  const unchecked = many.map(({ id }) => account({ id }));
  expect(question("disable", unchecked).typed).toBe(TYPED_FROM);
  const few = question("disable", [healthy(1), healthy(2)]);
  expect([few.typed, few.warning]).toEqual([0, expect.stringContaining("2 healthy accounts")]);
});

test("parts of config.yaml that a change drops are named once", () => {
  const accounts = [account(), account({ id: 2 })];
  const question = ask([{ verb: "disable", accounts }], [plan({ applied: [planned(1)], losses: ["comments"] })]);
  expect(question.losses).toEqual(["comments"]);
});

test("reasons are counted, the most frequent first; one reason alone needs no number", () => {
  expect(countedReasons(["a", "a"])).toEqual(["a"]);
  expect(countedReasons(["a", "b", "b"])).toEqual(["2 accounts: b", "1 account: a"]);
});

test("what went wrong is counted and listed first", () => {
  const actions = [action(), action({ id: 2, outcome: "refused" }), action({ id: 3 })];
  expect(countsText(actions)).toBe("1 refused, 2 done.");
  expect(wentAsAsked({ batch: batch(), actions })).toBe(false);
  expect(wentAsAsked({ batch: batch(), actions: [action()] })).toBe(true);
  expect(wentAsAsked({ batch: null, actions: [action()] })).toBe(false);
});

test("a batch says how far it came, and how to go on", () => {
  const canceled = batch({ state: "canceled", total: 500, done: 40 });
  expect(batchLines(canceled)).toEqual(["The command was canceled; 460 not done."]);
  expect(batchLines({ ...canceled, state: "interrupted" })[0]).toContain("give the same command again");
  expect(progressText({ ...canceled, state: "running" }, 4_000)).toBe("40 of 500, 10 per second");
  expect(summaryOf({ batch: { ...canceled, outcomes: { applied: 40 } }, actions: [action(), action({ id: 2 })] })).toBe(
    "40 accounts changed. The command was canceled; 460 not done.",
  );
  expect(summaryOf({ batch: batch(), actions: [action()] })).toBe("relay #1: Disabled (verified).");
});

test("a command is taken back as a batch or action by action, with its deleted files, and an undo is not", () => {
  const actions = [
    action(),
    action({ id: 2, action: "enable" }),
    action({ id: 3, account: 9, action: "delete" }),
    action({ id: 4, outcome: "failed" }),
  ];
  expect(reversalOfCommand({ batch: batch(), actions })).toEqual({ batch: 7, accounts: [9], n: 3 });
  const two = reversalOfCommand({ batch: batch(), actions: [action(), action({ id: 2, batch: 6 })] });
  expect(two).toEqual({ actions: [1, 2], accounts: [], n: 2 });
  const deleted = reversalOfCommand({ batch: batch(), actions: [actions[2]] });
  expect(deleted).toEqual({ accounts: [9], n: 1 });
  expect(deleted && reversalVerb(deleted)).toBe("Restore");
  expect(reversalOfCommand({ batch: batch({ cause: "undo" }), actions })).toBeNull();
  expect(reversalOfCommand({ batch: batch(), actions: actions.slice(3) })).toBeNull();
});

test("the last change is taken back at once, and only once", async () => {
  const { questions, changes, notices } = changesOf();
  const done = changes.confirm(asked(questions), ANSWER, false);
  await questions.answer({ batches: [] });
  await questions.answer({ batch: batch(), actions: [action()] });
  await done;
  const undone = changes.undoLast();
  await questions.answer({ batches: [batch()] });
  const sent = await questions.answer({
    batch: batch({ id: 8, cause: "undo" }),
    actions: [action({ action: "enable", text: "Enabled (verified)." })],
  });
  await undone;
  expect(sent.body).toEqual({ batch: 7, background: true });
  expect(notices.list.value[0]).toMatchObject({ text: "relay #1: Enabled (verified)." });
  expect([changes.stage.value, changes.last, questions.waiting]).toEqual([null, null, []]);
});

const REFUSAL = { error: "The gateway drops comments.", code: "loss_not_accepted", hint: "" };

function changesOf(): { questions: Questions; changes: Changes; notices: Notices } {
  const questions = new Questions();
  const notices = new Notices();
  return { questions, notices, changes: new Changes(questions.client, notices, () => Promise.resolve()) };
}
const asked = (questions: Questions) =>
  questionOf(questions.client, [{ verb: "disable", accounts: [account()] }], [plan({ held: [planned(1)] })], false);
const ANSWER = { note: "dead key", included: [] };

test("a confirmed change is sent once with its note, and told of in a toast that takes it back", async () => {
  const { questions, changes, notices } = changesOf();
  const done = changes.confirm(asked(questions), ANSWER, false);
  await questions.answer({ batches: [] });
  const sent = await questions.answer({ batch: batch(), actions: [action()] });
  await done;
  expect(sent.body).toEqual({ accounts: [1], released: [1], reason: "dead key", disabled: true, background: true });
  expect(changes.stage.value).toBeNull();
  expect(notices.list.value[0]).toMatchObject({
    text: "relay #1: Disabled (verified).",
    isToast: true,
    action: { label: "Undo" },
  });
  expect(questions.waiting).toEqual([]);
});

test.each([
  ["plain", [], null],
  ["on hold", [planned(1)], "question"],
])("a recommended change that is %s asks only where there is something to weigh", async (_, held, stage) => {
  const { questions, changes } = changesOf();
  const wishes = [{ verb: "disable" as const, accounts: [account()] }];
  const read = () =>
    Promise.resolve(questionOf(questions.client, wishes, [plan({ applied: [planned(1)], held })], false));
  const done = changes.ask(read, true);
  if (stage === null) {
    await questions.answer({ batches: [] });
    await questions.answer({ batch: batch(), actions: [action()] });
  }
  await done;
  expect(changes.stage.value?.kind ?? null).toBe(stage);
  expect(questions.waiting).toEqual([]);
});

test("a change that is confirmed without its loss can be sent again with it", async () => {
  const { questions, changes } = changesOf();
  const done = changes.confirm(asked(questions), ANSWER, false);
  await questions.answer({ batches: [] });
  await questions.answer(REFUSAL, { status: 409 });
  await done;
  const stage = changes.stage.value;
  if (stage?.kind !== "failed" || !stage.accept) throw new Error("The loss is not offered.");
  const again = stage.accept();
  await questions.answer({ batches: [] });
  const sent = await questions.answer({ batch: batch(), actions: [action()] });
  await again;
  expect(sent.body).toMatchObject({ acceptLoss: true });
});

test("a lost answer is looked for in the action log, and never sent again", async () => {
  vi.useFakeTimers();
  const { questions, changes, notices } = changesOf();
  const done = changes.confirm(asked(questions), ANSWER, false);
  await questions.answer({ batches: [batch({ id: 6 })] });
  await questions.answer("bad gateway", { status: 502 });
  expect(changes.stage.value).toMatchObject({ kind: "sent", isLost: true });
  await vi.advanceTimersByTimeAsync(500);
  await questions.answer({ batches: [batch({ id: 8 }), batch({ id: 7 }), batch({ id: 6 })] });
  await questions.answer({ actions: [action({ account: 1 })], total: 1, reverted: [] });
  await questions.answer({ actions: [action({ account: 1 })], total: 1, reverted: [] });
  await done;
  expect(notices.list.value[0].text).toBe("relay #1: Disabled (verified).");
  vi.useRealTimers();
});

test("a dialog that was closed is not opened again by its answer, which is told of", async () => {
  const { questions, changes, notices } = changesOf();
  const done = changes.confirm(asked(questions), ANSWER, false);
  await questions.answer({ batches: [] });
  changes.close();
  const other = asked(questions);
  void changes.ask(() => Promise.resolve(other));
  await settled();
  await questions.answer({ batch: batch(), actions: [action({ outcome: "refused" })] });
  await done;
  expect(changes.stage.value).toEqual({ kind: "question", question: other });
  expect(notices.list.value).toHaveLength(1);
});

test("a session that ends before the change is sent leaves the question with its note", async () => {
  const { questions, changes } = changesOf();
  const question = asked(questions);
  await changes.ask(() => Promise.resolve(question));
  changes.note.value = "asked for by Anna";
  const done = changes.confirm(question, ANSWER, false);
  await questions.answer({ error: "no session" }, { status: 401 });
  await done;
  expect(changes.stage.value).toEqual({ kind: "question", question });
  expect(changes.note.value).toBe("asked for by Anna");
});

test("a question that was left before the service answered changes nothing", async () => {
  const { questions, changes } = changesOf();
  const done = changes.confirm(asked(questions), ANSWER, false);
  changes.close();
  await questions.answer({ batches: [] });
  await done;
  expect([changes.stage.value, questions.waiting]).toEqual([null, []]);
});

test("without a change there is nothing to take back, and the page says so", () => {
  const { changes, notices } = changesOf();
  void changes.undoLast();
  expect(notices.list.value[0].text).toContain("Nothing to undo on this page");
});
