import { fileName, waitAsAsked } from "./answers.js";
import { CSRF_HEADER, type Changes, type Reads, type SessionAnswer } from "./api.js";
import { asHeader, KEY_HEADER, needsKey } from "./management_key.js";
import { leftPage, problemOf, unreachable } from "./problem.js";

/** Query of a request; a list is a repeated parameter. */
export type Query = Record<string, string | number | boolean | number[]>;

export interface Sent {
  method: string;
  path: string;
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
}

export interface ClientListener {
  onAnswer(path: string, isGood: boolean): void;
  /** A request was refused because the session has ended. */
  onSignedOut(): void;
  /** The service failed to answer a read. */
  onReadFailed?(): void;
  onProblem?(code: string): void;
}

const MOST_TRIES = 4;

/**
 * Client of the service's API with the page's session. Unsafe requests carry the CSRF token of the session.
 *
 * Behind a gateway that serves the page as a plugin there is no session: the management key goes with each request, and
 * is kept in memory until the page is left.
 */
export class Client {
  #csrf = "";
  #key = "";
  #leaving = false;
  /** True after an unanswered request: the page may show an older state than the service's. */
  hasMissed = false;
  /** Name of the gateway that requests are about, in a fleet; empty where there is one. */
  pool = "";

  /** `base` is the address of the own paths, with a trailing slash. */
  constructor(
    readonly base: URL,
    private readonly listener: ClientListener,
    readonly isKeyed = needsKey(),
  ) {}

  /** True during and after sign-out: background requests must stop. */
  get leaving(): boolean {
    return this.#leaving;
  }

  address(path: string, query: Query = {}): URL {
    const url = new URL(path, this.base);
    for (const [name, values] of Object.entries(query)) {
      for (const value of [values].flat()) url.searchParams.append(name, String(value));
    }
    if (this.pool && !isWithoutPool(path)) url.searchParams.set("pool", this.pool);
    return url;
  }

  get<P extends keyof Reads>(path: P, query?: Query): Promise<Reads[P]> {
    return this.request({ method: "GET", path, query }) as Promise<Reads[P]>;
  }

  post<P extends keyof Changes>(path: P, body?: unknown, query?: Query): Promise<Changes[P]> {
    return this.request({ method: "POST", path, query, body }) as Promise<Changes[P]>;
  }

  put<P extends keyof Changes>(path: P, body: unknown): Promise<Changes[P]> {
    return this.request({ method: "PUT", path, body }) as Promise<Changes[P]>;
  }

  delete(path: string, query: Query): Promise<unknown> {
    return this.request({ method: "DELETE", path, query });
  }

  /** Read an answer as a file. */
  async file(path: string, query: Query): Promise<{ name: string; content: Blob }> {
    const response = await this.#answered({ method: "GET", path, query });
    if (!response.ok) await this.#read(response);
    const content = await response.blob().catch(() => {
      throw unreachable();
    });
    return { name: fileName(response), content };
  }

  /** Return whether an earlier session is still valid. */
  async restoreSession(): Promise<boolean> {
    if (this.isKeyed) return this.#key !== "";
    const response = await this.#send({ method: "GET", path: "info/session" });
    if (response.status === 401) return false;
    await this.#keepToken(response);
    return true;
  }

  /** Sign in with the management key; with a session it is sent once and kept nowhere. */
  async signIn(key: string): Promise<void> {
    if (!this.isKeyed) {
      await this.#keepToken(await this.#send({ method: "POST", path: "info/session", body: { key } }));
      return;
    }
    this.#key = key;
    try {
      await this.#read(await this.#send({ method: "GET", path: "info" }));
    } catch (problem) {
      this.#key = "";
      throw problem;
    }
  }

  async signOut(): Promise<void> {
    this.#leaving = true;
    if (this.isKeyed) {
      this.#key = "";
      return;
    }
    try {
      await this.#read(await this.#sendWithToken({ method: "DELETE", path: "info/session" }));
    } catch (problem) {
      this.#leaving = false;
      throw problem;
    }
    this.#csrf = "";
  }

  async request(sent: Sent): Promise<unknown> {
    return this.#read(await this.#answered(sent), sent);
  }

  async #keepToken(response: Response): Promise<void> {
    this.#csrf = ((await this.#read(response)) as SessionAnswer).csrf;
  }

  /** Send a request; a refused key or session is forgotten. */
  async #answered(sent: Sent): Promise<Response> {
    const response = await (sent.method === "GET" ? this.#sendRead(sent) : this.#sendWithToken(sent));
    if (response.status === 401) {
      this.#key = "";
      this.listener.onSignedOut();
    }
    return response;
  }

  /** Send a read, and send it again, as late as the service asks for, while it answers too many reads. */
  async #sendRead(sent: Sent): Promise<Response> {
    for (let tries = 1; ; tries += 1) {
      const response = await this.#send(sent);
      if (response.status !== 429 || tries === MOST_TRIES || this.#leaving) return response;
      await waitAsAsked(response);
    }
  }

  /** Send a request, and send it again when a sign-in in another tab has replaced the CSRF token. */
  async #sendWithToken(sent: Sent): Promise<Response> {
    const token = this.#csrf;
    const response = await this.#send(sent);
    if (response.status !== 403 || this.isKeyed) return response;
    const isReplaced = (await this.restoreSession()) && this.#csrf !== token;
    return isReplaced ? this.#send(sent) : response;
  }

  async #send({ method, path, query = {}, body, signal }: Sent): Promise<Response> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (method !== "GET" && this.#csrf) headers[CSRF_HEADER] = this.#csrf;
    if (this.#key) headers[KEY_HEADER] = asHeader(this.#key);
    const written = body === undefined ? undefined : JSON.stringify(body);
    try {
      const response = await fetch(this.address(path, query), {
        method,
        headers,
        body: written,
        cache: "no-store",
        signal,
      });
      if (response.status >= 500) this.#miss(method);
      this.listener.onAnswer(path, response.ok);
      return response;
    } catch {
      if (signal?.aborted) throw leftPage();
      this.#miss(method);
      throw unreachable(method, path);
    }
  }

  #miss(method: string): void {
    this.hasMissed = true;
    if (method === "GET") this.listener.onReadFailed?.();
  }

  async #read(response: Response, { method, path, signal }: Sent = { method: "GET", path: "" }): Promise<unknown> {
    const text = await response.text().catch(() => {
      if (signal?.aborted) throw leftPage();
      this.#miss("GET");
      throw unreachable(method, path);
    });
    if (!response.ok) {
      const problem = problemOf(response.status, text, response.headers.get("Retry-After"));
      this.listener.onProblem?.(problem.code);
      throw problem;
    }
    return text ? JSON.parse(text) : null;
  }
}

/** Return whether a path is of the service or the fleet, not of a gateway. */
function isWithoutPool(path: string): boolean {
  return path === "info/session" || path.startsWith("fleet/");
}
