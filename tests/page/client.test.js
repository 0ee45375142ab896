import assert from "node:assert/strict";
import test from "node:test";

import { ApiProblem, explained, isAnswerLost, isSignedOut, problemOf, unreachable, UNREACHABLE } from
  "../../extension/console/static/connection/problem.js";
import { Questions } from "./questions.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("a query becomes part of the address", (context) => {
  const { client } = new Questions(context);
  assert.equal(client.address("pool", { source: "a b", limit: 3 }).href,
    "http://127.0.0.1/v0/management/poolkeeper/pool?source=a+b&limit=3");
});

test("the key is sent once, and later changes carry the token of the session", async (context) => {
  const questions = new Questions(context);
  const signIn = questions.client.signIn("the key");
  assert.deepEqual(questions.waiting[0].body, { key: "the key" });
  await questions.answer({ csrf: "token", expiresAt: 0 });
  await signIn;
  const change = questions.client.post("pool/status", { accounts: [1], disabled: true });
  assert.equal(JSON.stringify(questions.waiting).includes("the key"), false);
  await questions.answer({ actions: [] });
  assert.deepEqual(await change, { actions: [] });
});

test("a change refused for a replaced token is sent once more with the new one", async (context) => {
  const questions = new Questions(context);
  const change = questions.client.post("inspections/stop", undefined, { run: 1 });
  await questions.answer({ error: "token" }, { status: 403 });
  await questions.answer({ csrf: "newer", expiresAt: 0 });
  await questions.answer({ run: { id: 1 } });
  assert.deepEqual(await change, { run: { id: 1 } });
});

test("a command that is not answered yet is asked for by its number", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const questions = new Questions(context);
  const change = questions.client.post("inspections/stop", undefined, { run: 1 });
  await questions.answer({ command: 7 }, { status: 202, headers: { "Retry-After": "1" } });
  assert.equal(questions.waiting.length, 0);
  context.mock.timers.tick(1000);
  await new Promise((resume) => { setImmediate(resume); });
  await questions.answer({ run: { id: 1 } });
  assert.deepEqual(await change, { run: { id: 1 } });
});

test("an ended session is reported once and thrown", async (context) => {
  const questions = new Questions(context);
  const read = assert.rejects(questions.client.get("info"), isSignedOut);
  await questions.answer({ error: "session" }, { status: 401 });
  await read;
  assert.equal(questions.signedOut, 1);
});

test("no answer at all is a problem of its own, and leaves the page behind the service", async (context) => {
  const questions = new Questions(context);
  const read = assert.rejects(questions.client.get("info"), { code: UNREACHABLE });
  await questions.fail();
  await read;
  assert.equal(questions.client.hasMissed, true);
});

test("a read is sent again, as late as the service asks for", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const questions = new Questions(context);
  const read = questions.client.get("info");
  await questions.answer({ error: "too many" }, { status: 429, headers: { "Retry-After": "3" } });
  context.mock.timers.tick(2999);
  assert.equal(questions.waiting.length, 0);
  context.mock.timers.tick(1);
  await new Promise((resume) => { setImmediate(resume); });
  await questions.answer({ name: "poolkeeper" });
  assert.deepEqual(await read, { name: "poolkeeper" });
});

test("an empty answer is null", async (context) => {
  const questions = new Questions(context);
  const change = questions.client.post("pool/flags", { accounts: [1], neverProbe: true });
  await questions.answer(null, { status: 204 });
  assert.equal(await change, null);
});

test("an error answer becomes sentences with a hint of when to try again", () => {
  const problem = problemOf(429, '{"error": "too many sign-ins", "code": "banned", "hint": "wait"}', "120");
  assert.deepEqual([problem.message, problem.code, problem.retryAfter], ["Too many sign-ins.", "banned", 120]);
  assert.equal(problem.hint, "Wait. Try again in 2 minutes.");
});

test("the answer of a proxy in between still has a message and a code", () => {
  const problem = problemOf(502, "<html>Bad gateway</html>", null);
  assert.deepEqual([problem.message, problem.code], ["The service returned HTTP 502.", "status_502"]);
});

test("anything that is thrown can be explained", () => {
  assert.equal(explained(new ApiProblem({ message: "No.", code: "x", hint: "Yes." })).hint, "Yes.");
  assert.equal(explained(new TypeError("broken")).message, "broken");
  assert.equal(explained("text").message, "text");
});

test("what is done with a large answer is a task of its own", async (context) => {
  const questions = new Questions(context);
  /** @type {(() => void)[]} */
  const tasks = [];
  context.mock.method(globalThis, "setTimeout", (/** @type {() => void} */ task) => tasks.push(task));
  const small = questions.client.get("info");
  await questions.answer({ text: "x".repeat(10) });
  assert.equal(tasks.length, 0);
  await small;

  const large = questions.client.get("info");
  await questions.answer({ text: "x".repeat(200_000) });
  assert.equal(tasks.length, 1);
  tasks[0]();
  await large;
});

test("a proxy's answer in place of the service's names the next step, and leaves a change in doubt", () => {
  const problem = problemOf(502, "<html>502 Bad Gateway</html>", null);

  assert.match(problem.hint, /proxy/);
  assert.equal(isAnswerLost(problem), true);
  assert.equal(isAnswerLost(problemOf(504, '{"error": "Late.", "code": "gateway_timed_out"}', null)), false);
});

test("a change without an answer may have been made, a read or a question may not", () => {
  assert.match(unreachable("POST", "pool/status").hint, /may have been made/);
  assert.doesNotMatch(unreachable("POST", "pool/plan").hint, /may have been made/);
  assert.doesNotMatch(unreachable("GET", "pool").hint, /may have been made/);
});
