import { byId, within } from "../dom.js";
import { text, tokenText } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import { actsOnce } from "../layout/once.js";
import { pageAddress } from "../layout/tile.js";
import { formatAge, formatDuration, formatTime } from "../formatting.js";
import { pendingNames } from "./pending_accounts.js";
import { FAILING, failingOf, ProgressPace } from "./progress_pace.js";
import { isActive, isResumable } from "./run_model.js";

const SPOKEN_STEP = 10;
const TICK_MS = 1000;

/**
 * Describe a run in one line.
 *
 * @param {import("./run_model.js").Run} run
 * @param {number} now milliseconds UTC
 */
export function describeRun(run, now) {
  const parts = [text("run.number", { run: String(run.id) }), tokenText("run_state", run.state)];
  if (run.finishedAt) parts.push(text("run.took", { time: formatDuration(run.finishedAt - run.startedAt) }));
  const origin = run.schedule ? text("run.by_schedule", { schedule: String(run.schedule) })
    : tokenText("run", `origin_${run.startedBy}`, text("run.by", { actor: run.startedBy }));
  parts.push(text("run.started", { origin }), formatAge(now - run.startedAt));
  if (run.onHold) parts.push(heldText(run));
  if (run.notCarriedOut) parts.push(text("run.not_carried_out", { n: run.notCarriedOut }));
  if (run.reason) parts.push(reasonsText(run.reasons, run.reason));
  return parts.join(" · ");
}

/**
 * Number of changes that a run put on hold, and how many still are.
 *
 * @param {import("./run_model.js").Run} run
 */
function heldText({ onHold: n, stillOnHold: left }) {
  return left === n ? text("run.on_hold", { n }) : text("run.on_hold_since", { n, left });
}

/** State and progress of the run in view, and its commands. */
export class RunPanel {
  #spoken = "";
  /** @type {import("./run_model.js").Run | undefined} */ #shown;
  /** @type {readonly string[]} */ #pending = [];
  /** @type {ReturnType<typeof setInterval> | undefined} */ #timer;
  /** @type {number | undefined} */ #failing;
  #pace = new ProgressPace();

  /**
   * @param {() => Promise<void>} onStart
   * @param {(command: import("./run_model.js").Command) => Promise<void>} onCommand
   */
  constructor(onStart, onCommand) {
    this.start = byId("start", HTMLButtonElement);
    this.stop = byId("stop", HTMLButtonElement);
    this.pause = byId("pause", HTMLButtonElement);
    this.finish = byId("finish", HTMLButtonElement);
    this.resume = byId("resume", HTMLButtonElement);
    this.state = byId("run-state");
    this.bar = byId("progress-bar", HTMLProgressElement);
    actsOnce(this.start, onStart);
    byId("show-held").addEventListener("click", () => {
      const details = within(byId("follow-up"), "details", HTMLDetailsElement);
      details.open = true;
      details.scrollIntoView({ block: "start" });
    });
    for (const command of /** @type {const} */ (["stop", "pause", "finish", "resume"])) {
      actsOnce(this[command], () => onCommand(command));
    }
  }

  /**
   * @param {import("./run_model.js").Run | undefined} run the one in view
   * @param {import("./run_model.js").Run | undefined} active the one under way
   * @param {string} mode automatic actions of the next run
   * @param {ReadonlyMap<number, import("../table/rows.js").Account>} [accounts] in view
   * @param {number | undefined} [failing] accounts among the results of the run that are here
   */
  render(run, active, mode, accounts = new Map(), failing) {
    this.#failing = failing;
    this.#shown = run;
    this.#pending = pendingNames(run, accounts);
    this.#tickWhile(Boolean(active));
    const label = text(mode === "none" ? "run.start" : "run.start_acting");
    if (this.start.textContent !== label) this.start.textContent = label;
    const focused = document.activeElement;
    this.start.hidden = Boolean(active);
    this.stop.hidden = !active;
    this.stop.disabled = active?.state === "stopping";
    this.pause.hidden = active?.state !== "running";
    this.finish.hidden = !["running", "paused"].includes(active?.state ?? "");
    this.resume.hidden = !isResumable(active ?? run);
    byId("show-held").hidden = !run?.stillOnHold;
    // A button that vanishes under the keyboard hands its focus to the one that takes its place.
    const isGone = focused instanceof HTMLElement && focused.hidden && focused.closest(".run-line");
    if (isGone) (active ? this.stop : this.start).focus();
    this.#renderState(run);
    byId("progress").hidden = !run;
    if (run) this.#renderProgress(run);
  }

  /**
   * Bring the pace up to date each second of a run: while nothing comes in, the rate falls.
   *
   * @param {boolean} isWanted
   */
  #tickWhile(isWanted) {
    if (!isWanted) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#timer ??= setInterval(() => {
      if (!this.start.isConnected) this.#tickWhile(false);
      else if (this.#shown) this.#renderProgress(this.#shown);
    }, TICK_MS);
  }

  /** @param {import("./run_model.js").Run | undefined} run */
  #renderState(run) {
    const described = run ? describeRun(run, Date.now()) : text("run.none");
    if (this.state.textContent !== described) this.state.textContent = described;
    this.state.title = run ? text("run.started_at", { time: formatTime(run.startedAt) }) : "";
  }

  /**
   * Count the failing accounts, with a link to the list of them.
   *
   * @param {import("./run_model.js").Run} run
   */
  #renderFailing(run) {
    const link = byId("failing", HTMLAnchorElement);
    link.hidden = !run.done;
    const said = text("run.failing", { n: failingOf(run, this.#failing) });
    if (link.textContent !== said) link.textContent = said;
    link.title = text("run.failing_hint", { statuses: FAILING.map((each) => tokenText("status", each)).join(", ") });
    const query = { source: run.accountSource, run: run.id, verdict: FAILING.join(",") };
    const address = pageAddress("inspection", query);
    if (link.getAttribute("href") !== address) link.setAttribute("href", address);
  }

  /** @param {import("./run_model.js").Run} run */
  #renderProgress(run) {
    const percent = run.total ? Math.floor((100 * run.done) / run.total) : 0;
    this.bar.max = Math.max(1, run.total);
    this.bar.value = run.done;
    this.bar.dataset.state = run.state;
    byId("progress-text").textContent = text("run.done", { done: run.done, total: run.total });
    byId("progress-pace").textContent = this.#pace.describe(run, performance.now(), this.#pending);
    this.#renderFailing(run);
    const spoken = isActive(run)
      ? text("run.percent", { n: percent - (percent % SPOKEN_STEP) })
      : text("run.spoken", { state: tokenText("run_state", run.state), done: run.done, total: run.total });
    if (spoken !== this.#spoken && this.#spoken) byId("progress-spoken").textContent = spoken;
    this.#spoken = spoken;
  }
}
