import { SCHEDULE_LIMITS } from "../_generated_constants.js";
import { element } from "../dom.js";
import { field, input } from "./schedule_fields.js";
import { scheduleTimes } from "./schedule_times.js";
import { text } from "../language/catalogue.js";
import { submitsOnce } from "../layout/once.js";
import { Refusal } from "../layout/refusal.js";

/**
 * @import { ScheduleView } from "../../_generated_types.js"
 * @typedef {{name: string, enabled: boolean, intervalMinutes: number | null, jitterMinutes: number, cron: string,
 *   timeZone: string}} ScheduleEdit
 */

const { name: NAME, jitterMinutes: JITTER } = SCHEDULE_LIMITS;

/**
 * Form for a new schedule, saved with the current run settings, or for an existing one.
 *
 * @param {ScheduleView | null} schedule the one that is edited
 * @param {(edit: ScheduleEdit, takesSettings: boolean, refusal: Refusal) => Promise<void>} onSave
 * @param {() => void} onCancel
 */
export function scheduleForm(schedule, onSave, onCancel) {
  const name = input("schedule-name", { type: "text", maxlength: NAME.maxLength, required: true },
    schedule?.name ?? "");
  const times = scheduleTimes(schedule);
  const jitter = input("schedule-jitter", { type: "number", min: JITTER.least, max: JITTER.most, required: true },
    schedule?.jitterMinutes ?? 5);
  const takes = input("schedule-takes", { type: "checkbox" }, "");
  const form = element("form", { class: "schedule-form", attributes: { "aria-label": text("schedule.form") } },
    field(text("schedule.name"), name), ...times.fields, field(text("schedule.jitter"), jitter),
    ...(schedule ? [field(text("schedule.takes"), takes, "switch")] : []),
    element("div", { class: "buttons" },
      element("button", {
        class: "primary", text: text(schedule ? "schedule.save" : "schedule.save_new"),
        attributes: { type: "submit" },
      }),
      ...(schedule ? [element("button", {
        class: "plain", text: text("schedule.cancel"), attributes: { type: "button" }, on: { click: onCancel },
      })] : [])));
  const refusal = new Refusal(form, { name, ...times.controls, jitterMinutes: jitter });
  form.addEventListener("input", () => { form.dataset.touched = "true"; });
  submitsOnce(form, () => onSave({
    name: name.value.trim(), enabled: schedule?.enabled ?? true,
    ...times.chosen(), jitterMinutes: Number(jitter.value),
  }, !schedule || takes.checked, refusal));
  return form;
}
