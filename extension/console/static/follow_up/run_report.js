import { nameList } from "../actions/plan_nodes.js";
import { downloadControl } from "../connection/download.js";
import { byId, element } from "../dom.js";
import { formatCount } from "../formatting.js";
import { isActive } from "../run/run_model.js";
import { modeLabel } from "../settings/modes.js";
import { differenceList } from "./difference_list.js";
import { Drawer } from "./drawer.js";
import { HeldHosts } from "./held_hosts.js";
import { onHoldList } from "./on_hold_list.js";
import { paragraph, smallButton, titled } from "./listing.js";
import { standingChanges } from "./run_changes.js";
import { countsText, modePlans, plannedNodes } from "./mode_plans.js";
import { text, tokenText } from "../language/catalogue.js";
import { placedNodes } from "../layout/account_name.js";

/**
 * @import { Cause, CommandAnswer, HeldView, ModePlanView } from "../../_generated_types.js"
 * @import { Run } from "../run/run_model.js"
 */

const ACTIONS = /** @type {const} */ (["disable", "enable", "delete"]);

/** Panel of the run in view: plans to apply, actions on hold, undo, changes since the previous run, export. */
export class RunReport {
  /** @type {Run | undefined} */ #run;
  #shown = "";
  /** @type {ModePlanView | undefined} the fullest one that was read for the run in view */ #plan;

  /**
   * @param {import("../connection/client.js").Client} client
   * @param {import("../notices.js").Notices} notices
   * @param {import("../actions/action_dialog.js").ActionDialog} dialog
   * @param {import("../table/vocabulary.js").Vocabulary} vocabulary
   * @param {number} keptRuns how many ended runs the service keeps
   */
  constructor(client, notices, dialog, vocabulary, keptRuns) {
    this.keptRuns = keptRuns;
    this.client = client;
    this.notices = notices;
    this.dialog = dialog;
    this.vocabulary = vocabulary;
    this.panel = byId("follow-up");
    this.drawer = new Drawer(this.panel, () => this.#read());
  }

  /** @param {Run | undefined} run the one in view */
  render(run) {
    this.#run = run;
    this.panel.hidden = !run;
    byId("follow-up-heading").textContent = run ? text("report.title", { run: String(run.id) }) : "";
    const shown = `${run?.id} ${run?.state}`;
    if (shown !== this.#shown) this.#plan = undefined;
    this.#showSummary();
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.drawer.refresh();
  }

  /** Reload the panel after accounts changed. */
  refresh() {
    return this.drawer.refresh();
  }

  #showSummary() {
    const run = this.#run;
    byId("follow-up-summary").textContent = run && !isActive(run) ? summary(run, this.#plan) : "";
  }

  async #read() {
    const run = this.#run;
    if (!run) return [];
    if (isActive(run)) return [paragraph(text("report.in_progress"))];
    const query = { run: run.id };
    const [{ plans }, { held }, difference] = await Promise.all([
      this.client.get("inspections/plan", query), this.client.get("inspections/held", query),
      this.client.get("inspections/difference", query)]);
    if (run.id === this.#run?.id) {
      this.#plan = fullest(plans);
      this.#showSummary();
    }
    return [
      modePlans(run.accountSource, plans, (plan) => this.#apply(run, plan)),
      onHoldList(held, (chosen) => this.#release(run, chosen)),
      titled(text("report.undo"), paragraph(text("report.undo_hint")),
        smallButton(text("report.undo_run", { run: String(run.id) }), () => this.#undo(run))),
      differenceList(difference, this.vocabulary),
      titled(text("report.export"), paragraph(text("report.kept", { n: this.keptRuns })),
        element("p", { class: "buttons" }, this.#file(run, "csv"), this.#file(run, "jsonl"))),
    ];
  }

  /**
   * @param {Run} run
   * @param {"csv" | "jsonl"} format
   */
  #file(run, format) {
    const label = text("report.file", { run: String(run.id), format: format.toUpperCase() });
    return downloadControl(this, label, "inspections/export", { run: run.id, format });
  }

  /**
   * @param {Run} run
   * @param {ModePlanView} plan
   */
  #apply(run, { mode, applied, held }) {
    const hosts = new HeldHosts(held);
    this.#confirm({
      title: text("report.apply_question", { run: String(run.id), mode: modeLabel(run.accountSource, mode) }),
      verb: text("report.apply"),
      danger: applied.some(({ action }) => action === "delete"),
      body: [...plannedNodes(applied), ...hosts.nodes(),
        paragraph(text("report.skipped", { n: applied.length + held.length }))],
    }, "apply", (more) => {
      const changes = [...applied, ...hosts.changes];
      return this.client.post("inspections/apply", {
        mode, accounts: numbersOf(changes), ...more,
        ...(hosts.released.length ? { releasedHosts: hosts.released } : {}),
      }, { run: run.id });
    });
  }

  /**
   * @param {Run} run
   * @param {HeldView[]} held
   */
  #release(run, held) {
    this.#confirm({
      title: text("report.release_question", { n: held.length, run: String(run.id) }),
      verb: text("report.release"),
      body: [paragraph(text("report.released")), nameList(held, ({ account, displayName, keyHint, place, action }) => [
        `${tokenText("action", action)} `, ...placedNodes({ id: account, displayName, keyHint, place })])],
    }, "release", (more) => this.client.post(
      "inspections/release", { accounts: numbersOf(held), ...more }, { run: run.id }));
  }

  /** @param {Run} run */
  async #undo(run) {
    const isWaiting = this.dialog.wait();
    try {
      const changes = await standingChanges(this.client, run.id);
      if (!isWaiting()) return;
      this.#confirm({
        title: text("report.undo_question", { run: String(run.id) }),
        verb: text("dialog.undo"),
        body: [...changes, paragraph(text("report.undo_effect"))],
      }, "undo", (more) => this.client.post("inspections/undo", more, { run: run.id }));
    } catch (problem) {
      if (isWaiting()) this.dialog.fail(problem);
    }
  }

  /**
   * @param {{title: string, verb: string, danger?: boolean, body: HTMLElement[]}} change
   * @param {Cause} cause of its batch
   * @param {(more: import("../actions/command.js").Accepted) => Promise<CommandAnswer>} send
   */
  #confirm(change, cause, send) {
    this.dialog.open({ ...change, perform: (_, command) => command.carryOut(send, { cause }) });
  }
}

/**
 * Recommendations of a run other than to keep, and how many of them it put on hold, as they were at its end; with what
 * its plan makes of them now. The terminal and the service count alike.
 *
 * @param {Run} run
 * @param {ModePlanView | undefined} plan
 */
function summary({ recommendations, onHold, stillOnHold }, plan) {
  const counts = ACTIONS.flatMap((action) => {
    const n = recommendations[action];
    return n ? [text("plans.count", { action: tokenText("action", action), n })] : [];
  });
  if (!counts.length) return text("report.keep_all");
  const left = plan ? plan.refused.length + plan.notEnabled.length : 0;
  const facts = [
    [text("report.at_end"), counts.join(", ")],
    [text("report.to_apply"), plan ? countsText(plan.applied) : ""],
    [text("report.of_these_on_hold"), heldText(onHold, stillOnHold)],
    [text("report.already_so"), numberText(plan?.already.length ?? 0)],
    [text("plans.not_changed"), numberText(left)],
  ];
  return facts.flatMap(([name, value]) => (value ? [text("usage.filter_is", { name, value })] : [])).join(" · ");
}

/**
 * @param {number} n changes that the run put on hold
 * @param {number} left those that still are
 */
function heldText(n, left) {
  return n === left ? numberText(n) : text("report.held_since", { n, left });
}

/** @param {number} n */
function numberText(n) {
  return n ? formatCount(n) : "";
}

/**
 * Plan that changes most.
 *
 * @param {ModePlanView[]} plans
 */
function fullest(plans) {
  const size = (/** @type {ModePlanView} */ { applied, held }) => applied.length + held.length;
  return plans.reduce((/** @type {ModePlanView | undefined} */ best, plan) =>
    (best && size(best) >= size(plan) ? best : plan), undefined);
}

/** @param {{account: number}[]} listed */
function numbersOf(listed) {
  return listed.map(({ account }) => account);
}
