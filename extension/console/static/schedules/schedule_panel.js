import { Question } from "../actions/question.js";
import { element } from "../dom.js";
import { clipped, formatTime } from "../formatting.js";
import { Drawer } from "../follow_up/drawer.js";
import { listing, paragraph, smallButton } from "../follow_up/listing.js";
import { scheduleForm } from "./schedule_form.js";
import { settingsList } from "./settings_list.js";
import { text } from "../language/catalogue.js";
import { reasonsText } from "../language/reasons.js";
import { isRefused } from "../layout/refusal.js";

/**
 * @import { ScheduleView } from "../../_generated_types.js"
 * @import { ScheduleEdit } from "./schedule_form.js"
 */

/** Panel of schedules: times, next and last run, settings, and a form. */
export class SchedulePanel {
  /** @type {ScheduleView | null} */ #edited = null;

  /**
   * @param {HTMLElement} panel
   * @param {import("../connection/client.js").Client} client
   * @param {import("../settings/settings_store.js").SettingsStore} store
   * @param {(act: () => Promise<unknown>) => Promise<void>} attempt runs a request and shows a notice when it fails
   * @param {(text: string) => void} warn shows a notice in the place of the one before; an empty text clears it
   * @param {(text: string) => void} tell shows what became of a change
   */
  constructor(panel, client, store, attempt, warn, tell) {
    this.client = client;
    this.store = store;
    this.attempt = attempt;
    this.warn = warn;
    this.tell = tell;
    this.question = new Question();
    this.drawer = new Drawer(panel, () => this.#read());
  }

  /** Remove the dialog with its page. */
  leave() {
    this.question.leave();
  }

  /** Reload the panel unless the form has unsaved input. */
  async refresh() {
    const form = this.drawer.body.querySelector("form");
    if (form?.dataset.touched || form?.contains(document.activeElement)) return;
    await this.drawer.refresh();
  }

  async #read() {
    const { schedules } = await this.client.get("inspections/schedules");
    const form = scheduleForm(this.#edited, (...given) => this.#save(...given), () => this.#edit(null));
    if (!schedules.length) {
      return [paragraph(text("schedule.none")), form];
    }
    const columns = [
      text("schedule.form"), text("schedule.on"), text("schedule.starts"), text("schedule.next"), text("schedule.last"),
      text("schedule.settings"), "",
    ];
    return [listing(columns, schedules.map((schedule) => this.#row(schedule))), form];
  }

  /** @param {ScheduleView} schedule */
  #row(schedule) {
    const { name, enabled, jitterMinutes, nextAt, settings } = schedule;
    const box = element("input", {
      attributes: { type: "checkbox", "aria-label": text("schedule.is_on", { name }) },
      on: { change: () => this.#switch(schedule, box.checked) },
    });
    box.checked = enabled;
    const times = timesText(schedule);
    return [
      name, box, jitterMinutes ? text("schedule.delay", { times, n: jitterMinutes }) : times,
      enabled ? formatTime(nextAt) : text("schedule.off"), lastText(schedule),
      settingsList(settings, text("schedule.settings_of", { name })),
      element("div", { class: "buttons" },
        smallButton(text("schedule.edit"), () => this.#edit(schedule), text("schedule.edit_of", { name })),
        smallButton(text("schedule.remove"), () => this.#remove(schedule), text("schedule.remove_of", { name }))),
    ];
  }

  /**
   * @param {ScheduleEdit} edit
   * @param {boolean} takesSettings
   * @param {import("../layout/refusal.js").Refusal} refusal
   */
  #save(edit, takesSettings, refusal) {
    const edited = this.#edited;
    const id = edited ? { id: edited.id } : {};
    const settings = takesSettings || !edited ? ofSchedule(this.store.current) : edited.settings;
    refusal.clear();
    // Input that the service refuses stays in the form to be corrected.
    return this.attempt(async () => {
      try {
        await this.#post({ ...id, ...edit, settings });
      } catch (problem) {
        if (!isRefused(problem)) throw problem;
        refusal.show(problem);
        return;
      }
      this.#edited = null;
      await this.drawer.refresh();
    });
  }

  /**
   * @param {ScheduleView} schedule
   * @param {boolean} enabled
   */
  #switch({ id, name, intervalMinutes, jitterMinutes, cron, timeZone, settings }, enabled) {
    const body = { id, name, enabled, intervalMinutes, jitterMinutes, cron, timeZone, settings };
    return this.#change(() => this.#post(body));
  }

  /**
   * Store a schedule, and warn when no account is in its scope: its runs would have nothing to check.
   *
   * @param {ScheduleEdit & {id?: number, settings: unknown}} body
   */
  async #post(body) {
    const { schedule, accountsInScope } = await this.client.post("inspections/schedules", body);
    const { name, enabled } = schedule;
    this.warn(accountsInScope === 0 && enabled ? text("schedule.no_accounts", { name }) : "");
  }

  /** @param {ScheduleView} schedule */
  #remove({ id, name }) {
    const shown = { name: clipped(name) };
    this.question.ask({
      title: text("schedule.remove_question", shown), body: text("schedule.remove_effect"),
      verb: text("schedule.remove"), cancel: text("schedule.cancel"),
    }, async () => {
      if (this.#edited?.id === id) this.#edited = null;
      await this.#change(async () => {
        await this.client.delete("inspections/schedules", { schedule: id });
        this.tell(text("schedule.removed", shown));
      });
    });
  }


  /** @param {ScheduleView | null} schedule */
  async #edit(schedule) {
    this.#edited = schedule;
    await this.drawer.refresh();
    const name = this.drawer.body.querySelector("input[type=text]");
    if (schedule && name instanceof HTMLInputElement) name.focus();
  }

  /**
   * Run a change and reload the drawer, because a refused change has to be shown as stored.
   * 
   * @param {() => Promise<unknown>} act
   */
  async #change(act) {
    await this.attempt(act);
    await this.drawer.refresh();
  }
}

/** @param {ScheduleView} schedule */
function timesText({ cron, timeZone, intervalMinutes }) {
  return cron ? `${cron} (${timeZone || "UTC"})` : text("schedule.minutes", { n: intervalMinutes ?? 0 });
}

/** @param {ScheduleView} schedule */
function lastText({ lastAt, lastRun, problem, problems }) {
  if (!lastAt) return text("schedule.never");
  const run = lastRun ? text("schedule.run", { run: String(lastRun) }) : "";
  return [formatTime(lastAt), run, reasonsText(problems, problem)].filter(Boolean).join(", ");
}

/**
 * Leave out a minimum of enabled accounts that nobody chose: a schedule has a default of its own.
 *
 * @param {import("../settings/fields.js").Settings} settings
 */
function ofSchedule({ keepAtLeast, ...settings }) {
  return keepAtLeast ? { ...settings, keepAtLeast } : settings;
}
