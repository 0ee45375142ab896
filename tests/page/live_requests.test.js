import assert from "node:assert/strict";
import test from "node:test";

import { Client } from "../../extension/console/static/connection/client.js";
import { LiveRequests } from "../../extension/console/static/pages/requests/live_requests.js";

/** A stream that a test speaks for. */
class Source extends EventTarget {
  static CLOSED = 2;
  /** @type {Source[]} */ static made = [];
  readyState = 1;

  /** @param {URL} url */
  constructor(url) {
    super();
    this.url = String(url);
    Source.made.push(this);
  }

  close() {
    this.readyState = Source.CLOSED;
  }
}

/**
 * Requests that are followed on a stream, and the service behind it.
 *
 * @param {import("node:test").TestContext} context
 */
function followed(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  Source.made = [];
  const service = { answers: true };
  Object.assign(globalThis, {
    EventSource: Source, document: Object.assign(new EventTarget(), { hidden: false }),
  });
  context.mock.method(globalThis, "fetch", async () => {
    if (!service.answers) throw new TypeError("no connection");
    return new Response(JSON.stringify({ events: [], next: 4 }));
  });
  context.after(() => {
    for (const name of ["EventSource", "document"]) Reflect.deleteProperty(globalThis, name);
  });
  const client = new Client(new URL("http://127.0.0.1/own/"), { onAnswer: () => {}, onSignedOut: () => {} }, false);
  /** @type {boolean[]} */ const lost = [];
  const live = new LiveRequests(client, () => {}, (state) => lost.push(state));
  live.open(2, {});
  Source.made[0].dispatchEvent(new Event("open"));
  const pass = async (/** @type {number} */ ms) => {
    context.mock.timers.tick(ms);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => { setImmediate(resolve); });
  };
  return { live, lost, service, pass };
}

test("a stream of requests without its heartbeat is lost, and read until it flows again", async (context) => {
  const { live, lost, service, pass } = followed(context);
  assert.match(Source.made[0].url, /after=2&heartbeat=true$/);
  await pass(20_000);
  Source.made[0].dispatchEvent(new Event("heartbeat"));
  await pass(24_999);
  assert.deepEqual(lost, [false]);

  service.answers = false;
  await pass(1);
  assert.deepEqual([lost.at(-1), Source.made[0].readyState], [true, Source.CLOSED]);
  await pass(1);
  await pass(1_500);
  assert.equal(lost.at(-1), true);

  service.answers = true;
  await pass(1_500);
  assert.equal(lost.at(-1), false);
  assert.match(Source.made[1].url, /after=4&heartbeat=true$/);
  live.close();
});

test("a stream of requests that is refused is read page by page", async (context) => {
  const { live, lost, pass } = followed(context);
  Source.made[0].readyState = Source.CLOSED;
  Source.made[0].dispatchEvent(new Event("error"));
  assert.equal(lost.at(-1), true);

  await pass(1);

  assert.equal(lost.at(-1), false);
  assert.equal(Source.made.length, 1);
  live.close();
});
