import { formatActor, formatTime } from "../formatting.js";
import { text } from "../language/catalogue.js";
import { actsOnce } from "../layout/once.js";

/** Button that pauses all automation, and the notice that says so while it is paused. */
export class AutomationSwitch {
  /** @type {import("../../_generated_types.js").AutomationAnswer | null} */ #state = null;

  /**
   * @param {HTMLButtonElement} button
   * @param {import("../connection/client.js").Client} client
   * @param {import("../notices.js").Notices} notices
   */
  constructor(button, client, notices) {
    this.button = button;
    this.client = client;
    this.notices = notices;
    actsOnce(button, () => this.#turn());
  }

  /** Read and show the state. */
  async refresh() {
    await this.notices.attempt("automation-read", async () => this.#show(await this.client.get("config/automation")));
  }

  /** Write the texts in the language in use. */
  write() {
    if (this.#state && !this.button.hidden) this.#show(this.#state);
  }

  async #turn() {
    await this.notices.attempt("automation-change", async () =>
      this.#show(await this.client.post("config/automation", { paused: !this.#state?.paused })));
  }

  /** @param {import("../../_generated_types.js").AutomationAnswer} state */
  #show(state) {
    this.#state = state;
    const { paused, pausedAt, pausedBy } = state;
    this.button.hidden = false;
    this.button.textContent = text(paused ? "automation.resume" : "automation.pause");
    this.button.classList.toggle("wanted", paused);
    if (!paused) this.notices.clear("automation");
    else {
      const hint = text("automation.by", { time: formatTime(pausedAt), actor: formatActor(pausedBy) });
      this.notices.show("automation", { level: "warning", text: text("automation.paused"), hint });
    }
  }
}
