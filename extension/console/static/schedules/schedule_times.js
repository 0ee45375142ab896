import { SCHEDULE_LIMITS } from "../_generated_constants.js";
import { element } from "../dom.js";
import { field, input } from "./schedule_fields.js";
import { text } from "../language/catalogue.js";

/** @import { ScheduleView } from "../../_generated_types.js" */

const { intervalMinutes: INTERVAL, cron: CRON, timeZone: ZONE } = SCHEDULE_LIMITS;

/**
 * Fields for the times of a schedule: an interval, or a cron expression with a time zone.
 *
 * @param {ScheduleView | null} schedule
 */
export function scheduleTimes(schedule) {
  const every = input("schedule-every", { type: "number", min: INTERVAL.least, max: INTERVAL.most },
    schedule?.intervalMinutes ?? 60);
  const cron = input("schedule-cron", { type: "text", maxlength: CRON.maxLength, placeholder: "0 3 * * *" },
    schedule?.cron ?? "");
  const zone = input("schedule-zone", { type: "text", maxlength: ZONE.maxLength, placeholder: "UTC" },
    schedule?.cron ? schedule.timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone);
  const kind = element("select", { attributes: { id: "schedule-kind" } },
    element("option", { text: text("schedule.at_interval"), attributes: { value: "interval" } }),
    element("option", { text: text("schedule.at_times"), attributes: { value: "cron" } }));
  kind.value = schedule?.cron ? "cron" : "interval";
  const atInterval = field(text("schedule.interval"), every);
  const atTimes = [field(text("schedule.cron"), cron), field(text("schedule.zone"), zone)];
  const show = () => {
    const times = kind.value === "cron";
    atInterval.hidden = times;
    for (const node of atTimes) node.hidden = !times;
    every.required = !times;
    cron.required = times;
    // A hidden field that is invalid would keep the form from being sent without a word.
    every.disabled = times;
    for (const control of [cron, zone]) control.disabled = !times;
  };
  kind.addEventListener("change", show);
  show();
  const chosen = () => kind.value === "cron"
    ? { intervalMinutes: null, cron: cron.value.trim(), timeZone: zone.value.trim() }
    : { intervalMinutes: Number(every.value), cron: "", timeZone: "" };
  const controls = { intervalMinutes: every, cron, timeZone: zone };
  return { fields: [field(text("schedule.starts"), kind), atInterval, ...atTimes], chosen, controls };
}
