import { explained } from "../connection/problem.js";
import { byId, element, within } from "../dom.js";

/** Exchanges the management key for a session. The key leaves the field as soon as it was sent. */
export class LogInView {
  /**
   * @param {import("../connection/client.js").Client} client
   * @param {() => void} onLoggedIn
   */
  constructor(client, onLoggedIn) {
    this.client = client;
    this.onLoggedIn = onLoggedIn;
    this.form = byId("log-in-form");
    this.field = byId("management-key", HTMLInputElement);
    this.button = within(this.form, "[type=submit]", HTMLButtonElement);
    this.problem = byId("log-in-problem");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** @param {string} [why] what brought the person here, if it was not their own choice */
  show(why = "") {
    byId("log-in-view").hidden = false;
    this.#say(why, "");
    this.field.focus();
  }

  hide() {
    byId("log-in-view").hidden = true;
    this.#say("", "");
  }

  async #submit() {
    const key = this.field.value;
    this.#say("", "");
    this.button.disabled = true;
    try {
      await this.client.logIn(key);
      this.field.value = "";
      this.onLoggedIn();
    } catch (problem) {
      const { message, hint } = explained(problem);
      this.#say(message, hint);
      this.field.select();
    } finally {
      this.button.disabled = false;
    }
  }

  /**
   * @param {string} message
   * @param {string} hint
   */
  #say(message, hint) {
    this.problem.hidden = !message;
    this.problem.replaceChildren(...[message, hint].filter(Boolean).map((text) => element("p", { text })));
    this.field.setAttribute("aria-invalid", String(Boolean(message)));
  }
}
