import { problemOf, unreachable } from "./problem.js";

/**
 * The service's own paths over HTTP, with the page's session. Unsafe requests carry the session's CSRF token.
 */
export class Client {
  #csrf = "";

  /** True from the moment somebody logs out: what asks by itself must not ask any more. */
  leaving = false;

  /**
   * @param {URL} base address of the own paths, with a trailing slash
   * @param {() => void} onSignedOut called when a request is refused because the session has ended
   */
  constructor(base, onSignedOut) {
    this.base = base;
    this.onSignedOut = onSignedOut;
  }

  /**
   * @param {string} path below the base
   * @param {Record<string, string | number>} [query]
   */
  address(path, query = {}) {
    const url = new URL(path, this.base);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return url;
  }

  /**
   * @param {string} path
   * @param {Record<string, string | number>} [query]
   * @returns {Promise<any>}
   */
  get(path, query) {
    return this.#request("GET", path, query);
  }

  /**
   * @param {string} path
   * @param {unknown} [body] sent as JSON
   * @param {Record<string, string | number>} [query]
   * @returns {Promise<any>}
   */
  post(path, body, query) {
    return this.#request("POST", path, query, body);
  }

  /**
   * @param {string} path
   * @param {Record<string, string | number>} query
   */
  delete(path, query) {
    return this.#request("DELETE", path, query);
  }

  /** True when an earlier session still holds. */
  async restoreSession() {
    const response = await this.#send("GET", "info/session");
    if (response.status === 401) return false;
    this.#csrf = (await this.#read(response)).csrf;
    return true;
  }

  /** @param {string} key the management key; it is sent once and kept nowhere */
  async logIn(key) {
    const response = await this.#send("POST", "info/session", {}, { key });
    this.#csrf = (await this.#read(response)).csrf;
  }

  async logOut() {
    this.leaving = true;
    try {
      await this.#read(await this.#send("DELETE", "info/session"));
    } catch (problem) {
      this.leaving = false;
      throw problem;
    }
    this.#csrf = "";
  }

  async #request(method, path, query, body) {
    const response = await this.#send(method, path, query, body);
    if (response.status === 401) this.onSignedOut();
    return this.#read(response);
  }

  /** @returns {Promise<Response>} */
  async #send(method, path, query = {}, body = undefined) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (method !== "GET" && this.#csrf) headers["X-Poolkeeper-CSRF"] = this.#csrf;
    try {
      return await fetch(this.address(path, query), {
        method, headers, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store",
      });
    } catch {
      throw unreachable();
    }
  }

  /** @param {Response} response */
  async #read(response) {
    const text = await response.text().catch(() => { throw unreachable(); });
    if (!response.ok) throw problemOf(response.status, text, response.headers.get("Retry-After"));
    return text ? JSON.parse(text) : null;
  }
}
