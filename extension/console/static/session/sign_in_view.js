import { needsKey } from "../connection/management_key.js";
import { explained } from "../connection/problem.js";
import { byId, element } from "../dom.js";
import { text } from "../language/catalogue.js";
import { panelKey } from "./panel_key.js";

/**
 * Form that takes the management key: for a session, where there are sessions. The field is cleared after sign-in.
 *
 * Where a session has ended, the form stands in a dialog of its own over the page: what was typed there, a selection
 * and an open dialog are kept, and the form is above all of them.
 */
export class SignInView {
  #isOver = false;

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
    this.button.textContent = byId("sign-in-heading").textContent = text("sign_in.in");
    byId("management-key-label").textContent = text("sign_in.key");
    byId("sign-in-help").textContent = text(needsKey() ? "sign_in.help_keyed" : "sign_in.help");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#offerPanelKey();
  }

  /** Offer the key that the gateway's panel remembers: one click instead of typing it again. */
  #offerPanelKey() {
    const { origin, host } = window.location;
    const place = { origin, host, browser: navigator.userAgent };
    if (!needsKey() || !panelKey(() => window.localStorage, place)) return;
    this.button.after(element("button", {
      class: "plain", text: text("sign_in.panel_key"), attributes: { type: "button", id: "sign-in-with-panel" },
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
    const key = this.field.value;
    this.#say("", "");
    this.button.disabled = true;
    try {
      await this.client.signIn(key);
      this.field.value = "";
      this.onSignedIn();
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
    this.problem.replaceChildren(...[message, hint].filter(Boolean).map((said) => element("p", { text: said })));
    this.field.setAttribute("aria-invalid", String(Boolean(message)));
  }
}
