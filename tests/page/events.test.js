import assert from "node:assert/strict";
import test from "node:test";

import { Client } from "../../extension/console/static/connection/client.js";
import { EventStream, parseEvent } from "../../extension/console/static/connection/event_stream.js";
import { Latest } from "../../extension/console/static/connection/latest.js";
import { speakEnglish } from "./english.js";

speakEnglish();

test("an event carries its number, its run and its data", () => {
  const text = JSON.stringify({ seq: 7, kind: "run.progress", run: 3, data: { done: 1, total: 2 } });
  assert.deepEqual(parseEvent("run.progress", "9", text),
    { seq: 7, kind: "run.progress", run: 3, data: { done: 1, total: 2 } });
});

test("the number of the message stands in for a missing one", () => {
  assert.deepEqual(parseEvent("pool", "9", "{}"), { seq: 9, kind: "pool", run: null, data: {} });
});

test("anything that is not an event is dropped", () => {
  for (const text of ["", "{", "null", "3", '"text"', '{"seq": "x"}']) {
    assert.equal(parseEvent("result", "9", text), null, text);
  }
  assert.equal(parseEvent("result", "none", "{}"), null);
});

test("a reading counts unless one that began later is shown", () => {
  const latest = new Latest();
  const [first, second] = [latest.begin(), latest.begin()];
  assert.equal(latest.counts(second), true);
  assert.equal(latest.counts(first), false);
  assert.equal(latest.counts(first, "another thing"), true);
});

/** A page whose visibility a test changes. */
class FakePage extends EventTarget {
  hidden = false;

  /** @param {boolean} hidden */
  turn(hidden) {
    this.hidden = hidden;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

test("a hidden page holds no connection, and listens from the last event on when it is shown", () => {
  /** @type {Source[]} */
  const sources = [];
  class Source extends EventTarget {
    closed = false;

    /** @param {URL} url */
    constructor(url) {
      super();
      this.url = String(url);
      sources.push(this);
    }

    close() {
      this.closed = true;
    }
  }
  const page = new FakePage();
  Object.assign(globalThis, { EventSource: Source, document: page });
  const client = new Client(new URL("http://127.0.0.1/own/"), { onAnswer: () => {}, onSignedOut: () => {} }, false);
  const stream = new EventStream(client, { onEvent: () => {}, onState: () => {} });
  try {
    stream.open();
    const message = Object.assign(new Event("pool"), { data: '{"seq": 7}', lastEventId: "7" });
    sources[0].dispatchEvent(message);
    page.turn(true);
    assert.deepEqual(sources.map(({ closed }) => closed), [true]);

    page.turn(false);
    assert.equal(sources[1].url, "http://127.0.0.1/own/inspections/events?after=7&heartbeat=true");
    stream.close();
    page.turn(true);
    page.turn(false);
    assert.equal(sources.length, 2, "a closed stream stays closed");
  } finally {
    Reflect.deleteProperty(globalThis, "EventSource");
    Reflect.deleteProperty(globalThis, "document");
  }
});

test("a stream that stays open without its heartbeat is lost, and reads go on", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {Source[]} */
  const sources = [];
  class Source extends EventTarget {
    closed = false;

    /** @param {URL} url */
    constructor(url) {
      super();
      this.url = String(url);
      sources.push(this);
    }

    close() {
      this.closed = true;
    }
  }
  Object.assign(globalThis, { EventSource: Source, document: new FakePage(), fetch: async () =>
    new Response(JSON.stringify({ events: [], next: 4 })) });
  /** @type {string[]} */
  const states = [];
  const client = new Client(new URL("http://127.0.0.1/own/"), { onAnswer: () => {}, onSignedOut: () => {} }, false);
  const stream = new EventStream(client, { onEvent: () => {}, onState: (state) => states.push(state) });
  stream.open();
  sources[0].dispatchEvent(new Event("open"));
  for (let beats = 0; beats < 5; beats += 1) {
    context.mock.timers.tick(10_000);
    sources[0].dispatchEvent(new Event("heartbeat"));
  }
  assert.deepEqual(states, ["live"]);
  context.mock.timers.tick(24_999);
  assert.deepEqual(states, ["live"]);

  context.mock.timers.tick(1);
  assert.deepEqual([states.at(-1), sources[0].closed], ["lost", true]);
  context.mock.timers.tick(1500);
  await new Promise((resolve) => { setImmediate(resolve); });
  await new Promise((resolve) => { setImmediate(resolve); });
  assert.equal(states.at(-1), "polling");
  stream.close();
});
