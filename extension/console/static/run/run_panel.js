import { byId } from "../dom.js";
import { formatCount, formatDuration, formatTime, words } from "../formatting.js";
import { isActive, isResumable } from "./run_model.js";

const SPOKEN_STEP = 10;

/**
 * One line about a run, in words.
 *
 * @param {import("./run_model.js").Run} run
 */
export function describeRun(run) {
  const parts = [`Run ${run.id}`, words(run.state)];
  const took = run.finishedAt ? formatDuration(run.finishedAt - run.startedAt) : "";
  if (took) parts.push(`${formatTime(run.finishedAt)}, took ${took}`);
  else parts.push(`since ${formatTime(run.startedAt)}`);
  parts.push(run.schedule ? `started by schedule ${run.schedule}` : `started by ${run.startedBy}`);
  if (run.reason) parts.push(run.reason);
  return parts.join(" · ");
}

/** The state of the run in view, its progress, and which commands are possible now. */
export class RunPanel {
  #spoken = "";

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
    this.bar = byId("progress-bar", HTMLProgressElement);
    this.#press(this.start, onStart);
    for (const command of /** @type {const} */ (["stop", "pause", "finish", "resume"])) {
      this.#press(this[command], () => onCommand(command));
    }
  }

  /**
   * @param {import("./run_model.js").Run | undefined} run the one in view
   * @param {import("./run_model.js").Run | undefined} active the one under way
   */
  render(run, active) {
    const focused = document.activeElement;
    this.start.hidden = Boolean(active);
    this.stop.hidden = !active;
    this.stop.disabled = active?.state === "stopping";
    this.pause.hidden = active?.state !== "running";
    this.finish.hidden = !["running", "paused"].includes(active?.state ?? "");
    this.resume.hidden = !isResumable(active ?? run);
    // A button that vanishes under the keyboard hands its focus to the one that takes its place.
    const isGone = focused instanceof HTMLElement && focused.hidden && focused.closest(".run-line");
    if (isGone) (active ? this.stop : this.start).focus();
    byId("run-state").textContent = run ? describeRun(run) : "No run yet";
    byId("progress").hidden = !run;
    if (run) this.#renderProgress(run);
  }

  /** @param {import("./run_model.js").Run} run */
  #renderProgress(run) {
    const percent = run.total ? Math.floor((100 * run.done) / run.total) : 0;
    this.bar.max = Math.max(1, run.total);
    this.bar.value = run.done;
    this.bar.dataset.state = run.state;
    byId("progress-text").textContent = `${formatCount(run.done)} of ${formatCount(run.total)}`;
    const spoken = isActive(run)
      ? `${percent - (percent % SPOKEN_STEP)} percent inspected`
      : `Run ${words(run.state)}, ${run.done} of ${run.total} inspected`;
    if (spoken !== this.#spoken && this.#spoken) byId("progress-spoken").textContent = spoken;
    this.#spoken = spoken;
  }

  /**
   * Lets a button act once at a time.
   *
   * @param {HTMLButtonElement} button
   * @param {() => Promise<void>} act
   */
  #press(button, act) {
    button.addEventListener("click", async () => {
      if (button.getAttribute("aria-busy") === "true") return;
      button.setAttribute("aria-busy", "true");
      await act().finally(() => button.removeAttribute("aria-busy"));
    });
  }
}
