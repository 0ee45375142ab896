import assert from "node:assert/strict";
import test from "node:test";

import { Client } from "../../extension/console/static/connection/client.js";
import { EventStream } from "../../extension/console/static/connection/event_stream.js";
import { isSignedOut } from "../../extension/console/static/connection/problem.js";
import { speakEnglish } from "./english.js";

speakEnglish();

/**
 * A client behind a gateway that wants the key each time, and a stand-in that answers 401 to any other key.
 *
 * @param {import("node:test").TestContext} context
 */
function keyed(context) {
  /** @type {{path: string, key: string | null}[]} */ const asked = [];
  let signedOut = 0;
  context.mock.method(globalThis, "fetch", async (/** @type {URL} */ url, /** @type {RequestInit} */ request) => {
    const key = new Headers(request.headers).get("X-Management-Key");
    asked.push({ path: url.pathname + url.search, key });
    const body = key === "sesame" ? { events: [], next: 4 } : { error: "invalid management key" };
    const headers = { "Content-Disposition": 'attachment; filename="inspection-1.csv"' };
    return new Response(JSON.stringify(body), { status: key === "sesame" ? 200 : 401, headers });
  });
  const listener = { onAnswer: () => {}, onSignedOut: () => { signedOut += 1; } };
  const client = new Client(new URL("http://127.0.0.1/v0/management/poolkeeper/"), listener, true);
  return { client, asked, signedOut: () => signedOut };
}

test("without a session the key goes with each request, and nothing is restored", async (context) => {
  const { client, asked } = keyed(context);
  assert.equal(await client.restoreSession(), false);
  await client.signIn("sesame");
  await client.get("pool");
  assert.deepEqual(asked, [
    { path: "/v0/management/poolkeeper/info", key: "sesame" },
    { path: "/v0/management/poolkeeper/pool", key: "sesame" },
  ]);
  assert.equal(await client.restoreSession(), true);
});

test("a wrong key is forgotten, and so is the key of a page that signs out", async (context) => {
  const { client, asked, signedOut } = keyed(context);
  await assert.rejects(client.signIn("wrong"), isSignedOut);
  assert.equal(await client.restoreSession(), false);
  await client.signIn("sesame");
  await client.signOut();
  await assert.rejects(client.get("pool"), isSignedOut);
  assert.equal(asked.at(-1)?.key, null);
  assert.equal(signedOut(), 1);
});

test("events are read page by page, because a stream of the browser carries no key", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { client, asked } = keyed(context);
  await client.signIn("sesame");
  /** @type {string[]} */ const states = [];
  const stream = new EventStream(client, { onEvent: () => {}, onState: (state) => states.push(state) });
  Object.assign(globalThis, { document: Object.assign(new EventTarget(), { hidden: false }) });
  context.after(() => Reflect.deleteProperty(globalThis, "document"));
  stream.open();
  for (let round = 0; round < 30; round += 1) {
    context.mock.timers.tick(1500);
    await new Promise((resolve) => { setImmediate(resolve); });
  }
  stream.close();
  assert.equal(asked.length, 31);
  assert.equal(asked.at(-1)?.path, "/v0/management/poolkeeper/inspections/events?after=4");
  assert.deepEqual(new Set(states), new Set(["polling"]));
});

test("a file is read with the key and has the name that the service gave it", async (context) => {
  const { client, signedOut } = keyed(context);
  await assert.rejects(client.file("inspections/export", { run: 1 }), isSignedOut);
  assert.equal(signedOut(), 1);
  await client.signIn("sesame");
  const { name, content } = await client.file("inspections/export", { run: 1 });
  assert.equal(name, "inspection-1.csv");
  assert.deepEqual(JSON.parse(await content.text()), { events: [], next: 4 });
});
