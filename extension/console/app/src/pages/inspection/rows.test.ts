import { beforeEach, expect, test } from "vitest";
import { speakEnglish } from "../../testing/english.js";
import { account, result } from "../../testing/samples.js";
import { evidenceText, quotaOf } from "./evidence.js";
import { isHeldNow, nextChange, RowBook, rowOfRun, sortKey } from "./rows.js";

beforeEach(speakEnglish);

const rowOf = (fields: Parameters<typeof account>[0] = {}) => new RowBook().ofAccount(account(fields));

test("an account that was never checked has no status, no recommendation and no evidence", () => {
  const row = rowOf();
  expect([row.status, row.action, row.httpStatus, row.evidence, row.reason]).toEqual(["", "", null, "–", ""]);
  expect(row.tone).toBe("unknown");
});

test.each([
  [
    "a refused key",
    401,
    [{ code: "known_answer", params: { details: "(HTTP 401, invalid_api_key)" } }],
    "401 invalid_api_key",
  ],
  [
    "a limit",
    429,
    [{ code: "key_refused", params: { details: "(HTTP 429, rate_limit_exceeded, Retry-After 30)" } }],
    "429 rate_limit_exceeded",
  ],
  ["an answer without a code", 500, [{ code: "key_refused", params: { details: "(HTTP 500)" } }], "500"],
  ["an answer", 200, [{ code: "key_accepted", params: { details: "(HTTP 200)" } }], "200 · 12 ms"],
  [
    "a used quota",
    200,
    [{ code: "quota_threshold", params: { names: "5 h", windows: " (5 h 100 %, weekly 34 %)" } }],
    "200 5 h",
  ],
  ["a wall", 200, [{ code: "blocked", params: { wall: "page", details: "(HTTP 200)" } }], "200 web page"],
  [
    "an answer to any key",
    403,
    [{ code: "same_for_any_key", params: { details: "(HTTP 403)" } }],
    "403 same for a wrong key",
  ],
  ["silence", 0, [{ code: "no_answer_within", params: { seconds: "15" } }], "no answer in 15 s"],
  [
    "a closed connection",
    0,
    [{ code: "no_answer_because", params: { silence: "connect", problem: "closed" } }],
    "no answer: connect",
  ],
  ["no request", null, [{ code: "base_url_missing", params: {} }], "not sent"],
])("the evidence of %s is a few characters", (_, status, reasons, words) => {
  expect(evidenceText({ status, latencyMs: 12, reasons })).toBe(words);
});

test("quota windows are those that the reasons name, the fullest first", () => {
  const reasons = [{ code: "sign_in_measured", params: { windows: " (5 h 12 %, Claude and GPT weekly 34.5 %)" } }];
  expect(quotaOf(reasons)).toEqual([
    { name: "Claude and GPT weekly", used: 34.5 },
    { name: "5 h", used: 12 },
  ]);
  expect(quotaOf([])).toEqual([]);
});

test("what is done is not recommended any more, what was undone is again, without the words that no longer hold", () => {
  const disable = result({ action: "disable" });
  expect(rowOf({ enabled: false, lastResult: disable }).action).toBe("keep");
  const off = result({ reasons: [{ code: "stays_disabled", params: {} }], reason: "Invalid key. Already disabled." });
  const row = rowOf({ enabled: true, lastResult: off });
  expect([row.action, row.reason]).toEqual(["disable", "Invalid key."]);
});

test("the next step is the recommended change, unless it is on hold, done, or there is no switch", () => {
  const lastResult = result({ action: "disable" });
  expect(nextChange(rowOf({ lastResult }))).toBe("disable");
  expect(nextChange(rowOf({ lastResult, onHold: true }))).toBeNull();
  expect(nextChange(rowOf({ lastResult, switch: "none" }))).toBeNull();
  expect(nextChange(rowOf({ lastResult, enabled: false }))).toBeNull();
  expect(nextChange(rowOf({ lastResult: result({ action: "delete" }) }))).toBeNull();
  expect(nextChange(rowOf({ lastResult: result({ action: "delete" }), deletable: true, switch: "file" }))).toBe(
    "delete",
  );
});

test("a row of a run keeps what the run recommended, and shows the account as it is now, or as it was where it is gone", () => {
  const found = result({ action: "disable", keyHint: "sk-b…0000" });
  const row = rowOfRun(found, account({ enabled: false, keyHint: "sk-a…9f3c" }), true);
  expect([row.action, row.enabled, row.onHold, row.keyHint]).toEqual(["disable", false, true, "sk-a…9f3c"]);
  const gone = rowOfRun(found, null, false);
  expect([gone.id, gone.account, gone.keyHint, nextChange(gone)]).toEqual([1, null, "sk-b…0000", null]);
});

test("what an old run put on hold is so no more where a newer run holds the account", () => {
  const ofRun = (newest: number) =>
    rowOfRun(result({ run: 1 }), account({ onHold: true, lastResult: result({ run: newest }) }), true);
  expect([isHeldNow(ofRun(1)), isHeldNow(ofRun(4))]).toEqual([true, false]);
});

test("a row stays the same until its account changes", () => {
  const book = new RowBook();
  const before = account();
  expect(book.ofAccount(before)).toBe(book.ofAccount(before));
  expect(book.ofAccount({ ...before, enabled: false })).not.toBe(book.ofAccount(before));
});

test("a row is found by name, key tail, place, file, status, evidence and flags", () => {
  const row = rowOf({
    keyHint: "sk-a…9f3c",
    place: "claude-api-key[5]",
    neverProbe: true,
    lastResult: result({ verdict: "forbidden", status: 403 }),
  });
  for (const words of ["relay", "9f3c", "claude-api-key[5]", "forbidden", "403", "excluded"])
    expect(row.text).toContain(words);
});

test("the tail tells accounts of one name apart: the key, or what a file says beside type and name", () => {
  expect(rowOf({ keyHint: "sk-a…9f3c" }).tail).toBe("sk-a…9f3c");
  const file = { accountSource: "oauth" as const, displayName: "cy@example.com", provider: "codex" };
  expect(rowOf({ ...file, fileName: "codex-cy@example.com-plus.json" }).tail).toBe("plus");
  expect(rowOf({ ...file, fileName: "codex-cy@example.com.json" }).tail).toBe("");
  expect(rowOf({ ...file, displayName: "a.json", fileName: "a.json" }).tail).toBe("");
});

test("names sort by their numbers in any case", () => {
  const names = ["key 10", "key 2", "Key 1"];
  expect(names.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))).toEqual(["Key 1", "key 2", "key 10"]);
});
