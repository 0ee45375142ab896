import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Client } from "../../connection/client.js";
import { LiveRequests } from "./live_requests.js";

/** A stream that a test speaks for. */
class Source extends EventTarget {
  static CLOSED = 2;
  static made: Source[] = [];
  readyState = 1;
  readonly url: string;

  constructor(url: URL) {
    super();
    this.url = String(url);
    Source.made.push(this);
  }

  close(): void {
    this.readyState = Source.CLOSED;
  }
}

const page = Object.assign(new EventTarget(), { hidden: false });
const service = { answers: true, paths: [] as string[] };

beforeEach(() => {
  vi.useFakeTimers();
  Source.made = [];
  Object.assign(service, { answers: true, paths: [] });
  page.hidden = false;
  vi.stubGlobal("EventSource", Source);
  vi.stubGlobal("document", page);
  vi.stubGlobal("fetch", async (url: URL) => {
    if (!service.answers) throw new TypeError("no connection");
    service.paths.push(url.pathname + url.search);
    return new Response(JSON.stringify({ events: [], next: 4 }));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function followed(isKeyed = false) {
  const listener = { onAnswer: () => {}, onSignedOut: () => {} };
  const client = new Client(new URL("http://127.0.0.1/own/"), listener, isKeyed);
  const lost: boolean[] = [];
  const live = new LiveRequests(
    client,
    2,
    { model: "m" },
    { onRequests: () => {}, onState: (state) => lost.push(state) },
  );
  Source.made[0]?.dispatchEvent(new Event("open"));
  return { live, lost };
}

test("a stream of requests without its heartbeat is lost, and read until it flows again", async () => {
  const { live, lost } = followed();
  expect(Source.made[0].url).toMatch(/model=m&after=2&heartbeat=true$/);
  await vi.advanceTimersByTimeAsync(20_000);
  Source.made[0].dispatchEvent(new Event("heartbeat"));
  await vi.advanceTimersByTimeAsync(24_999);
  expect(lost).toEqual([false]);

  service.answers = false;
  await vi.advanceTimersByTimeAsync(1);
  expect([lost.at(-1), Source.made[0].readyState]).toEqual([true, Source.CLOSED]);
  await vi.advanceTimersByTimeAsync(1_501);
  expect(lost.at(-1)).toBe(true);

  service.answers = true;
  await vi.advanceTimersByTimeAsync(1_500);
  expect(lost.at(-1)).toBe(false);
  expect(Source.made[1].url).toMatch(/after=4&heartbeat=true$/);
  live.close();
});

test("a stream of requests that is refused is read page by page", async () => {
  const { live, lost } = followed();
  Source.made[0].readyState = Source.CLOSED;
  Source.made[0].dispatchEvent(new Event("error"));
  expect(lost.at(-1)).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect([lost.at(-1), Source.made.length]).toEqual([false, 1]);
  live.close();
});

test("with a key in memory there is no stream: it is read page by page, from where the last answer ended", async () => {
  const { live } = followed(true);
  await vi.advanceTimersByTimeAsync(1_501);
  expect(Source.made).toEqual([]);
  expect(service.paths).toEqual(["/usage/stream?model=m&after=2", "/usage/stream?model=m&after=4"]);
  live.close();
});

test("a hidden page keeps no stream, and catches up when it is shown", () => {
  const { live } = followed();
  page.hidden = true;
  page.dispatchEvent(new Event("visibilitychange"));
  expect(Source.made[0].readyState).toBe(Source.CLOSED);
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  expect(Source.made).toHaveLength(2);
  live.close();
  page.dispatchEvent(new Event("visibilitychange"));
  expect(Source.made).toHaveLength(2);
});
