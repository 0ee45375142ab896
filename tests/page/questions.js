import { Client } from "../../extension/console/static/connection/client.js";

/**
 * Requests of a client, each waiting for the answer that a test gives it, in whatever order.
 */
export class Questions {
  /** @type {{method: string, url: URL, body: unknown, answer: (response: Response) => void, fail: () => void}[]} */
  #asked = [];
  signedOut = 0;

  /** @param {import("node:test").TestContext} context restores the real `fetch` */
  constructor(context) {
    context.mock.method(globalThis, "fetch", (/** @type {URL} */ url, /** @type {RequestInit} */ request) =>
      new Promise((resolve, reject) => {
        const body = typeof request.body === "string" ? JSON.parse(request.body) : undefined;
        const fail = () => reject(new TypeError("connection refused"));
        const asked = { method: request.method ?? "GET", url, body, answer: resolve, fail };
        const giveUp = () => {
          this.#asked = this.#asked.filter((each) => each !== asked);
          reject(new DOMException("given up", "AbortError"));
        };
        this.#asked.push(asked);
        if (request.signal?.aborted) giveUp();
        request.signal?.addEventListener("abort", giveUp);
      }));
    this.client = new Client(new URL("http://127.0.0.1/v0/management/poolkeeper/"), {
      onAnswer: () => {},
      onSignedOut: () => { this.signedOut += 1; },
    });
  }

  /** The requests that wait for an answer, oldest first. */
  get waiting() {
    return this.#asked.map(({ method, url, body }) => ({ method, path: url.pathname + url.search, body }));
  }

  /**
   * Answer one of the waiting requests.
   *
   * @param {unknown} body
   * @param {{at?: number, status?: number, headers?: Record<string, string>}} [how]
   *     `at` counts the waiting requests from the oldest
   */
  async answer(body, { at = 0, status = 200, headers = {} } = {}) {
    const [asked] = this.#asked.splice(at, 1);
    asked.answer(new Response(status === 204 ? null : JSON.stringify(body), { status, headers }));
    await settled();
  }

  /** Let the oldest waiting request end without an answer. */
  async fail() {
    this.#asked.shift()?.fail();
    await settled();
  }
}

/** Wait until everything that an answer sets off has happened. */
export function settled() {
  return new Promise((resolve) => { setImmediate(resolve); });
}
