import { EventStream } from "../connection/event_stream.js";
import { isOfStore, isSignedOut } from "../connection/problem.js";
import { text } from "../language/catalogue.js";

/**
 * @import { EventKind } from "../../_generated_types.js"
 * @import { ServiceEvent } from "../connection/event_stream.js"
 * @typedef {EventKind | "reload"} LiveKind `reload`: events were missed, everything has to be read again
 * @typedef {(event: ServiceEvent | null) => unknown} LiveListener
 */

const SILENCE_MS = 60_000;

/**
 * Events of the service for the pages, and the sign that says whether they arrive.
 */
export class Live {
  /** @type {Set<{kinds: Set<LiveKind>, hear: LiveListener}>} */ #listeners = new Set();
  /** @type {"" | "live" | "polling" | "late" | "lost"} */ #state = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} set while the gateway does not answer */ #silence;
  /** Whether the page in view waits for the gateway. */ #isWaiting = false;
  /** Whether lost events were asked for anew, after another answer of the service. */ #isAskedAnew = false;
  /** Whether events do not arrive because the database of the service cannot be used. */ #isWithoutStore = false;
  /** Whether events do not arrive: what was missed is read again when they do. */ isLost = false;

  /**
   * @param {import("../connection/client.js").Client} client
   * @param {import("../notices.js").Notices} notices
   * @param {HTMLElement} indicator
   */
  constructor(client, notices, indicator) {
    this.client = client;
    this.notices = notices;
    this.indicator = indicator;
    this.stream = new EventStream(client, {
      onEvent: (event) => this.#tell(event.kind === "reset" ? "reload" : event.kind, event),
      onState: (state, problem) => this.#show(state, problem),
    });
  }

  /**
   * Call a listener for events of these kinds, until the returned function is called.
   *
   * @param {LiveKind[]} kinds
   * @param {LiveListener} hear
   */
  on(kinds, hear) {
    const listener = { kinds: new Set(kinds), hear };
    this.#listeners.add(listener);
    return () => { this.#listeners.delete(listener); };
  }

  /** Find the end of the event log. What is read from now on, and every later event, is complete. */
  async prepare() {
    this.client.hasMissed = false;
    await this.stream.findEnd();
  }

  open() {
    this.stream.open();
  }

  /** Have everything read again. */
  reload() {
    this.client.hasMissed = false;
    this.#tell("reload", null);
  }

  close() {
    this.stream.close();
    this.#state = "";
    this.indicator.textContent = "";
    this.hearGateway(true);
  }

  /**
   * Show whether the gateway answers the service. Silence counts for a while only: the page in view may ask nothing of
   * the gateway that would tell that it answers again.
   *
   * @param {boolean} answers
   */
  hearGateway(answers) {
    clearTimeout(this.#silence);
    this.#silence = answers ? undefined : setTimeout(() => this.hearGateway(true), SILENCE_MS);
    this.#paint();
  }

  /**
   * Hear that the service answered a request of the page. A read of the events may hang on a connection that is gone
   * for up to 25 seconds more: it is asked anew, once for each time that events turn out to be lost.
   */
  hearService() {
    if (this.isLost && !this.#isAskedAnew) this.#isAskedAnew = this.stream.askNow();
  }

  /**
   * Show whether the page in view waits for the gateway.
   *
   * @param {boolean} isWaiting
   */
  waitForGateway(isWaiting) {
    this.#isWaiting = isWaiting;
    this.#paint();
  }

  /** Write the sign in the language in use. */
  write() {
    this.#paint();
  }

  #paint() {
    if (!this.#state) return;
    const shown = this.#shown();
    const said = text(`live.${shown}`);
    if (this.indicator.textContent !== said) this.indicator.textContent = said;
    this.indicator.dataset.state = shown === "live" || shown === "polling" ? "live" : "lost";
  }

  #shown() {
    if (!this.#state || this.#state === "lost") return this.#isWithoutStore ? "store" : "lost";
    if (this.#silence !== undefined) return "gateway_silent";
    return this.#isWaiting ? "gateway_waiting" : this.#state;
  }

  /**
   * @param {LiveKind} kind
   * @param {ServiceEvent | null} event
   */
  #tell(kind, event) {
    for (const { kinds, hear } of this.#listeners) {
      if (kinds.has(kind)) Promise.resolve(event).then(hear).catch((problem) => this.#report(problem));
    }
  }

  /**
   * @param {"live" | "polling" | "late" | "lost"} state
   * @param {unknown} [problem]
   */
  #show(state, problem) {
    if (state === "late" && this.isLost) return;
    this.#isAskedAnew = false;
    this.#state = state;
    // Without a problem the stream alone was lost, as when it is tried again: that says nothing about the reason.
    if (state !== "lost" || problem) this.#isWithoutStore = isOfStore(problem);
    if (isOfStore(problem)) this.notices.showProblem("events", problem);
    this.#paint();
    const isBack = this.isLost && state !== "lost";
    this.isLost = state === "lost";
    if (!isBack) return;
    this.notices.clear("events");
    this.notices.storeAnswered();
    // Events that were missed are sent again; reads that failed are not repeated by themselves.
    if (this.client.hasMissed) this.reload();
  }

  /** @param {unknown} problem */
  #report(problem) {
    if (!isSignedOut(problem)) this.notices.showProblem("events", problem);
  }
}
