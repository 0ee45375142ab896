import { EventStream } from "./event_stream.js";
import { isSignedOut } from "./problem.js";

const SETTLE_MS = 400;

const STATES = {
  live: ["Live", "live"],
  polling: ["Live (polling)", "live"],
  lost: ["Connection lost. Reconnecting…", "lost"],
};

/**
 * Turns events into reads, because events carry only ids.
 */
export class LiveUpdates {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #poolTimer;
  #wasLost = false;

  /**
   * @param {import("./client.js").Client} client
   * @param {import("../inspection_page.js").InspectionPage} page
   * @param {HTMLElement} indicator
   */
  constructor(client, page, indicator) {
    this.client = client;
    this.page = page;
    this.indicator = indicator;
    this.stream = new EventStream(client, {
      onEvent: (event) => this.#handle(event).catch((problem) => this.#report(problem)),
      onState: (state) => this.#show(state),
    });
  }

  /** Load everything, then follow the event stream without a gap. */
  async open() {
    this.client.hasMissed = false;
    await this.stream.findEnd();
    await this.page.reload();
    this.stream.open();
  }

  close() {
    this.page.leave();
    this.stream.close();
    clearTimeout(this.#poolTimer);
    this.indicator.textContent = "";
  }

  /** @param {import("./event_stream.js").ServiceEvent} event */
  async #handle({ kind, run, data }) {
    const id = Number(run ?? data.run);
    if (kind === "reset") await this.page.reload();
    else if (kind === "run.progress") this.page.runs.progress(id, Number(data.done), Number(data.total));
    else if (kind === "result") await this.page.runView.landed(id);
    else if (kind === "run.state") await this.page.runMoved(id);
    else if (kind === "webhook") await this.page.webhook.refresh();
    else if (kind === "schedule") await this.page.schedules.refresh();
    else this.#reloadPoolSoon();
  }

  /** Reload once for a batch of action events. */
  #reloadPoolSoon() {
    clearTimeout(this.#poolTimer);
    this.#poolTimer = setTimeout(() => this.page.accountsChanged(), SETTLE_MS);
  }

  /** @param {"live" | "polling" | "lost"} state */
  #show(state) {
    const [text, mark] = STATES[state];
    if (this.indicator.textContent !== text) this.indicator.textContent = text;
    this.indicator.dataset.state = mark;
    if (state === "lost") this.#wasLost = true;
    else if (this.#wasLost) {
      this.#wasLost = false;
      this.page.notices.clear("events");
      this.#catchUp();
    }
  }

  /** Reload after a break: missed events are resent, but failed reads are not repeated. */
  #catchUp() {
    if (!this.client.hasMissed) return;
    this.client.hasMissed = false;
    this.page.reload();
  }

  /** @param {unknown} problem */
  #report(problem) {
    if (!isSignedOut(problem)) this.page.notices.showProblem("events", problem);
  }
}
