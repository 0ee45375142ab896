import { vi } from "vitest";
import { Client } from "../connection/client.js";

interface Question {
  path: string;
  method: string;
  body: unknown;
  headers: Headers;
  resolve: (response: Response) => void;
  reject: (problem: Error) => void;
}

/** A client whose requests wait until the test answers them, in order. */
export class Questions {
  readonly waiting: Question[] = [];
  signedOut = 0;
  readFailures = 0;
  readonly client: Client;

  constructor({ isKeyed = false } = {}) {
    vi.stubGlobal(
      "fetch",
      (url: URL, { method = "GET", body, headers }: RequestInit) =>
        new Promise<Response>((resolve, reject) => {
          const written = typeof body === "string" ? JSON.parse(body) : null;
          const path = url.pathname + url.search;
          this.waiting.push({ path, method, body: written, headers: new Headers(headers), resolve, reject });
        }),
    );
    const listener = {
      onAnswer: () => {},
      onSignedOut: () => {
        this.signedOut += 1;
      },
      onReadFailed: () => {
        this.readFailures += 1;
      },
    };
    this.client = new Client(new URL("http://127.0.0.1/v0/management/poolkeeper/"), listener, isKeyed);
  }

  /** Answer the oldest request; null has no body. */
  async answer(body: unknown, init: ResponseInit = {}): Promise<Question> {
    const question = await this.#next();
    question.resolve(new Response(body === null ? null : JSON.stringify(body), init));
    await settled();
    return question;
  }

  /** Let the oldest request fail on its way. */
  async fail(): Promise<void> {
    (await this.#next()).reject(new TypeError("no network"));
    await settled();
  }

  async #next(): Promise<Question> {
    await settled();
    const question = this.waiting.shift();
    if (!question) throw new Error("No request waits.");
    return question;
  }
}

/** Wait until everything that was answered is worked off. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}
