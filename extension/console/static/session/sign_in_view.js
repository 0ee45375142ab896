import { needsKey } from "../connection/management_key.js";
import { explained, isUnanswered } from "../connection/problem.js";
import { byId, element } from "../dom.js";
import { text } from "../language/catalogue.js";
import { ReadAgain } from "../shell/read_again.js";
import { panelKey } from "./panel_key.js";

/**
 * Form that takes the management key: for a session, where there are sessions. The field is cleared after sign-in.
 *
 * Where a session has ended, the form stands in a dialog of its own over the page: what was typed there, a selection
 * and an open dialog are kept, and the form is above all of them.
 *
 * A service that does not answer, or not yet, says nothing about the key: the same key is tried again until it does, or
 * until another one is typed.
 */
export class SignInView {
  #isOver = false;
  /** Key to try again; empty for none. */ #waiting = "";
  /** Tries in progress: one at a time, because the client keeps one key. */ #trying = Promise.resolve();
  #again = new ReadAgain(() => { if (this.#waiting) this.#inTurn(this.#waiting); });

  /**
   * @param {import("../connection/client.js").Client} client
   * @param {() => void} onSignedIn
   */
  constructor(client, onSignedIn) {
    this.client = client;
    this.onSignedIn = onSignedIn;
    this.form = byId("sign-in-form");
    this.field = byId("management-key", HTMLInputElement);
    this.button = byId("sign-in", HTMLButtonElement);
    this.problem = byId("sign-in-problem");
    this.over = element("dialog", {
      class: "sign-in-over sign-in", attributes: { "aria-labelledby": "sign-in-heading" },
    });
    document.body.append(this.over);
    // There is nothing behind it that could be used: Escape opens it again.
    this.over.addEventListener("close", () => { if (this.#isOver) this.over.showModal(); });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.field.addEventListener("input", () => this.#stopWaiting());
    this.#offerPanelKey();
    this.write();
  }

  /** Write the texts in the language in use. */
  write() {
    this.button.textContent = byId("sign-in-heading").textContent = text("sign_in.in");
    byId("management-key-label").textContent = text("sign_in.key");
    byId("sign-in-help").textContent = text(needsKey() ? "sign_in.help_keyed" : "sign_in.help");
    const offer = document.getElementById("sign-in-with-panel");
    if (offer) offer.textContent = text("sign_in.panel_key");
  }

  /** Offer the key that the gateway's panel remembers: one click instead of typing it again. */
  #offerPanelKey() {
    const { origin, host } = window.location;
    const place = { origin, host, browser: navigator.userAgent };
    if (!needsKey() || !panelKey(() => window.localStorage, place)) return;
    this.button.after(element("button", {
      class: "plain", attributes: { type: "button", id: "sign-in-with-panel" },
      on: {
        click: () => {
          this.field.value = panelKey(() => window.localStorage, place);
          this.#submit();
        },
      },
    }));
  }

  /** Ask for the key where there is no page yet. */
  show() {
    if (!byId("sign-in-view").hidden) return;
    byId("sign-in-view").hidden = false;
    this.#say("", "");
    this.field.focus();
  }

  /**
   * Ask for the key over a page that is kept.
   *
   * @param {string} why reason for the end of the previous session
   */
  showOver(why) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.over.append(this.form);
    this.over.showModal();
    this.#say(why, "");
    this.field.focus();
  }

  hide() {
    byId("sign-in-view").hidden = true;
    this.#waiting = "";
    this.#say("", "");
    if (!this.#isOver) return;
    this.#isOver = false;
    this.over.close();
    byId("sign-in-view").append(this.form);
    this.#enterDialog();
  }

  /** Put the keyboard into a dialog that was open below the form, where its control was built anew meanwhile. */
  #enterDialog() {
    const below = [...document.querySelectorAll("dialog[open]")].at(-1);
    if (below && !below.contains(document.activeElement)) below.querySelector("button")?.focus();
  }

  async #submit() {
    this.#waiting = "";
    this.#say("", "");
    this.button.disabled = true;
    const isRefused = !await this.#inTurn(this.field.value);
    this.button.disabled = false;
    if (isRefused) this.field.select();
  }

  /** Another key is typed: neither the former one nor what was said about it counts. */
  #stopWaiting() {
    if (!this.#waiting) return;
    this.#waiting = "";
    this.#say("", "");
  }

  /**
   * Try a key after the tries in progress.
   *
   * @param {string} key
   */
  #inTurn(key) {
    const done = this.#trying.then(() => this.#try(key));
    this.#trying = done.then(() => {});
    return done;
  }

  /**
   * @param {string} key
   * @returns {Promise<boolean>} whether it opened the page
   */
  async #try(key) {
    try {
      await this.client.signIn(key);
    } catch (problem) {
      this.#refused(key, problem);
      return false;
    }
    this.#waiting = "";
    this.field.value = "";
    this.onSignedIn();
    return true;
  }

  /**
   * @param {string} key
   * @param {unknown} problem
   */
  #refused(key, problem) {
    const { message, hint } = explained(problem);
    const isToWait = isUnanswered(problem);
    this.#waiting = isToWait ? key : "";
    this.#say(message, hint, isToWait ? text("sign_in.again") : "");
    if (isToWait) this.#again.soon();
  }

  /**
   * Say something above the button; words that stand there already are not read out again.
   *
   * @param {string} message
   * @param {...string} hints
   */
  #say(message, ...hints) {
    const words = [message, ...hints].filter(Boolean);
    const said = [...this.problem.children].map(({ textContent }) => textContent);
    if (!message || words.join("\n") !== said.join("\n")) {
      this.problem.replaceChildren(...words.map((line) => element("p", { text: line })));
    }
    this.problem.hidden = !message;
    this.field.setAttribute("aria-invalid", String(Boolean(message)));
  }
}
