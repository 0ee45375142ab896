import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { speakEnglish } from "../testing/english.js";
import { Questions, settled } from "../testing/questions.js";
import { EventStream, parseEvent } from "./event_stream.js";
import { isSignedOut, UNREACHABLE } from "./problem.js";
import { ReadAgain } from "./read_again.js";
import { ReadPlaces } from "./read_places.js";

beforeEach(speakEnglish);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a query becomes part of the address, and a list a repeated parameter", () => {
  const { client } = new Questions();
  expect(client.address("pool", { source: "a b", account: [1, 2] }).href).toBe(
    "http://127.0.0.1/v0/management/poolkeeper/pool?source=a+b&account=1&account=2",
  );
});

test("the key is sent once, and later changes carry the token of the session", async () => {
  const questions = new Questions();
  const signIn = questions.client.signIn("the key");
  expect((await questions.answer({ csrf: "token", expiresAt: 0 })).body).toEqual({ key: "the key" });
  await signIn;
  const change = questions.client.post("pool/status", { accounts: [1], disabled: true });
  const { headers, body } = await questions.answer({ actions: [] });
  expect(headers.get("X-Poolkeeper-CSRF")).toBe("token");
  expect(JSON.stringify(body)).not.toContain("the key");
  expect(await change).toEqual({ actions: [] });
});

test("a change refused for a replaced token is sent once more with the new one", async () => {
  const questions = new Questions();
  const change = questions.client.post("inspections/stop", undefined, { run: 1 });
  await questions.answer({ error: "token" }, { status: 403 });
  await questions.answer({ csrf: "newer", expiresAt: 0 });
  await questions.answer({ run: { id: 1 } });
  expect(await change).toEqual({ run: { id: 1 } });
});

test("an ended session is reported once and thrown", async () => {
  const questions = new Questions();
  const read = questions.client.get("info").catch((problem: unknown) => problem);
  await questions.answer({ error: "session" }, { status: 401 });
  expect(isSignedOut(await read)).toBe(true);
  expect(questions.signedOut).toBe(1);
});

test("no answer at all is a problem of its own, and leaves the page behind the service", async () => {
  const questions = new Questions();
  const read = questions.client.get("info").catch((problem: unknown) => problem);
  await questions.fail();
  expect(await read).toMatchObject({ code: UNREACHABLE });
  expect([questions.client.hasMissed, questions.readFailures]).toEqual([true, 1]);
});

test("a read is sent again, as late as the service asks for", async () => {
  vi.useFakeTimers();
  const questions = new Questions();
  const read = questions.client.get("info");
  await questions.answer({ error: "too many" }, { status: 429, headers: { "Retry-After": "3" } });
  await vi.advanceTimersByTimeAsync(2999);
  expect(questions.waiting).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  await questions.answer({ name: "poolkeeper" });
  expect(await read).toEqual({ name: "poolkeeper" });
});

test("without a session the key goes with each request, and a wrong one is forgotten", async () => {
  const questions = new Questions({ isKeyed: true });
  const { client } = questions;
  const wrong = client.signIn("wrong").catch((problem: unknown) => problem);
  expect((await questions.answer({ error: "no" }, { status: 401 })).headers.get("X-Management-Key")).toBe("wrong");
  expect(isSignedOut(await wrong)).toBe(true);
  expect(await client.restoreSession()).toBe(false);
  const right = client.signIn("sesame");
  await questions.answer({});
  await right;
  const read = client.get("pool");
  expect((await questions.answer({ accounts: [] })).headers.get("X-Management-Key")).toBe("sesame");
  await read;
});

test("an event carries its number, its run and its data; anything else is dropped", () => {
  const written = JSON.stringify({ seq: 7, kind: "run.progress", run: 3, data: { done: 1 } });
  expect(parseEvent("run.progress", "9", written)).toEqual({ seq: 7, kind: "run.progress", run: 3, data: { done: 1 } });
  expect(parseEvent("pool", "9", "{}")).toEqual({ seq: 9, kind: "pool", run: null, data: {} });
  for (const text of ["", "{", "null", "3", '"text"', '{"seq": "x"}']) expect(parseEvent("pool", "9", text)).toBeNull();
});

test("events are read page by page, because a stream of the browser carries no key", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  const questions = new Questions({ isKeyed: true });
  const states: string[] = [];
  const stream = new EventStream(questions.client, { onEvent: () => {}, onState: (state) => states.push(state) });
  stream.open();
  for (const [wait, after] of [
    [0, 0],
    [1500, 4],
    [1500, 4],
  ]) {
    await vi.advanceTimersByTimeAsync(wait);
    expect((await questions.answer({ events: [], next: 4 })).path).toContain(`after=${after}`);
  }
  stream.close();
  expect(new Set(states)).toEqual(new Set(["polling"]));
});

test("a failed read is repeated after three seconds, then ever later, at most thirty", () => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: false });
  let reads = 0;
  const again = new ReadAgain(() => {
    reads += 1;
  });
  for (const [index, seconds] of [3, 6, 12, 24, 30, 30].entries()) {
    again.soon();
    again.soon();
    vi.advanceTimersByTime(seconds * 1000 - 1);
    expect(reads).toBe(index);
    vi.advanceTimersByTime(1);
    expect(reads).toBe(index + 1);
  }
});

test("reads that the gateway holds up leave a place to the others", async () => {
  const places = new ReadPlaces();
  const begun: string[] = [];
  const open = (name: string, isSlow: boolean) => {
    void places.hold(isSlow, () => {
      begun.push(name);
      return new Promise<never>(() => {});
    });
  };
  open("pool", true);
  open("overview", true);
  open("plan", true);
  open("usage", false);
  await settled();
  expect(begun).toEqual(["pool", "overview", "usage"]);
});
