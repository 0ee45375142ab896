import { CSRF_HEADER } from "../_generated_constants.js";
import { fileName, parsed, waitAsAsked } from "./answers.js";
import { asHeader, KEY_HEADER, needsKey } from "./management_key.js";
import { leftPage, problemOf, unreachable } from "./problem.js";

/** @import { Changes, Reads, SessionAnswer } from "../../_generated_types.js" */

/** @typedef {Record<string, string | number | number[]>} Query a list is a repeated parameter */
/** @typedef {[method: string, path: string, query?: Query, body?: unknown, signal?: AbortSignal]} Sent */

const MOST_TRIES = 4;
const PENDING = 202;

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

  /**
   * @param {URL} base address of the own paths, with a trailing slash
   * @param {{onAnswer: (path: string, isGood: boolean) => void, onSignedOut: () => void, onReadFailed?: () => void,
   *     onProblem?: (code: string) => void}} listener called for every answer, when a request is refused because the
   *     session has ended, when the service fails to answer a read, and for every error that it explains
   * @param {boolean} [isKeyed] whether the key goes with each request
   */
  constructor(base, { onAnswer, onSignedOut, onReadFailed = () => {}, onProblem = () => {} }, isKeyed = needsKey()) {
    this.base = base;
    this.isKeyed = isKeyed;
    this.onAnswer = onAnswer;
    this.onSignedOut = onSignedOut;
    this.onReadFailed = onReadFailed;
    this.onProblem = onProblem;
  }

  /** True during and after sign-out: background requests must stop. */
  get leaving() {
    return this.#leaving;
  }

  /**
   * Client whose requests go on when the page is left.
   *
   * @returns {Client}
   */
  get lasting() {
    return this;
  }

  /**
   * @param {string} path below the base
   * @param {Query} [query]
   */
  address(path, query = {}) {
    const url = new URL(path, this.base);
    for (const [name, values] of Object.entries(query)) {
      for (const value of [values].flat()) url.searchParams.append(name, String(value));
    }
    return url;
  }

  /**
   * @template {keyof Reads} P
   * @param {P} path
   * @param {Query} [query]
   * @returns {Promise<Reads[P]>}
   */
  get(path, query) {
    return /** @type {Promise<Reads[P]>} */ (this.request("GET", path, query));
  }

  /**
   * @template {keyof Changes} P
   * @param {P} path
   * @param {unknown} [body] sent as JSON
   * @param {Query} [query]
   * @returns {Promise<Changes[P]>}
   */
  post(path, body, query) {
    return /** @type {Promise<Changes[P]>} */ (this.request("POST", path, query, body));
  }

  /**
   * @template {keyof Changes} P
   * @param {P} path
   * @param {unknown} body sent as JSON
   * @returns {Promise<Changes[P]>}
   */
  put(path, body) {
    return /** @type {Promise<Changes[P]>} */ (this.request("PUT", path, {}, body));
  }

  /**
   * Read an answer as a file.
   *
   * @param {string} path
   * @param {Query} query
   */
  async file(path, query) {
    const response = await this.#answered("GET", path, query);
    if (!response.ok) await this.#read(response);
    return { name: fileName(response), content: await response.blob().catch(() => { throw unreachable(); }) };
  }

  /**
   * @param {string} path
   * @param {Query} query
   */
  delete(path, query) {
    return this.request("DELETE", path, query);
  }

  /** Return whether an earlier session is still valid. */
  async restoreSession() {
    if (this.isKeyed) return this.#key !== "";
    const response = await this.#send("GET", "info/session");
    if (response.status === 401) return false;
    await this.#keepToken(response);
    return true;
  }

  /** @param {string} key the management key; with a session it is sent once and kept nowhere */
  async signIn(key) {
    if (this.isKeyed) {
      this.#key = key;
      await this.#read(await this.#send("GET", "info")).catch((problem) => { this.#key = ""; throw problem; });
      return;
    }
    await this.#keepToken(await this.#send("POST", "info/session", {}, { key }));
  }

  async signOut() {
    this.#leaving = true;
    if (this.isKeyed) {
      this.#key = "";
      return;
    }
    try {
      await this.#read(await this.#sendWithToken("DELETE", "info/session"));
    } catch (problem) {
      this.#leaving = false;
      throw problem;
    }
    this.#csrf = "";
  }

  /** @param {Response} response */
  async #keepToken(response) {
    const session = /** @type {SessionAnswer} */ (await this.#read(response));
    this.#csrf = session.csrf;
  }

  /**
   * Send a request, and wait for its answer where the service is not the one that carries a command out.
   *
   * @type {(...sent: Sent) => Promise<unknown>}
   */
  async request(...sent) {
    const response = await this.#answered(...sent);
    const answer = await this.#read(response, sent);
    if (response.status !== PENDING) return answer;
    await waitAsAsked(response);
    const { command } = /** @type {{ command: number }} */ (answer);
    return this.request("GET", "pool/commands", { command }, undefined, sent[4]);
  }

  /**
   * Send a request; a refused key or session is forgotten.
   *
   * @param {Sent} sent
   */
  async #answered(...sent) {
    const response = await (sent[0] === "GET" ? this.#sendRead(...sent) : this.#sendWithToken(...sent));
    if (response.status === 401) {
      this.#key = "";
      this.onSignedOut();
    }
    return response;
  }

  /**
   * Send a read, and send it again, as late as the service asks for, while it answers too many reads.
   *
   * @param {Sent} sent
   */
  async #sendRead(...sent) {
    for (let tries = 1; ; tries += 1) {
      const response = await this.#send(...sent);
      if (response.status !== 429 || tries === MOST_TRIES || this.#leaving) return response;
      await waitAsAsked(response);
    }
  }

  /**
   * Send a request, and send it again when a sign-in in another tab has replaced the CSRF token.
   *
   * @param {Sent} sent
   */
  async #sendWithToken(...sent) {
    const token = this.#csrf;
    const response = await this.#send(...sent);
    if (response.status !== 403 || sent[0] === "GET" || this.isKeyed) return response;
    const isReplaced = await this.restoreSession() && this.#csrf !== token;
    return isReplaced ? this.#send(...sent) : response;
  }

  /** @type {(...sent: Sent) => Promise<Response>} */
  async #send(...[method, path, query = {}, body, signal]) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (method !== "GET" && this.#csrf) headers[CSRF_HEADER] = this.#csrf;
    if (this.#key) headers[KEY_HEADER] = asHeader(this.#key);
    try {
      const response = await fetch(this.address(path, query), {
        method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store", signal,
      });
      if (response.status >= 500) this.#miss(method);
      this.onAnswer(path, response.ok);
      return response;
    } catch {
      if (signal?.aborted) throw leftPage();
      this.#miss(method);
      throw unreachable(method, path);
    }
  }

  /** @param {string} method */
  #miss(method) {
    this.hasMissed = true;
    if (method === "GET") this.onReadFailed();
  }

  /**
   * @param {Response} response
   * @param {Partial<Sent>} [sent]
   * @returns {Promise<unknown>} the JSON of the answer
   */
  async #read(response, [method = "GET", path = "", , , signal] = []) {
    const text = await response.text().catch(() => {
      if (signal?.aborted) throw leftPage();
      this.#miss("GET");
      throw unreachable(method, path);
    });
    if (!response.ok) {
      const problem = problemOf(response.status, text, response.headers.get("Retry-After"));
      this.onProblem(problem.code);
      throw problem;
    }
    return parsed(text);
  }
}
