import { SCHEDULE_LIMITS } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { Chip } from "../../parts/chip.js";
import { Field } from "../../parts/field.js";
import type { PartProps } from "./drawer.js";
import { dayName, PRESETS, zonesWith, type Times } from "./times.js";
import { Select } from "../../parts/select.js";

const DAYS = [1, 2, 3, 4, 5, 6, 0];
const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Choice of the times: a preset with the fields that it uses. */
export function WhenPart({ form, problems, change }: PartProps) {
  const { times } = form;
  const set = (values: Partial<Times>) => change({ ...form, times: { ...times, ...values } });
  return (
    <>
      <fieldset class="choices">
        <legend>{text("schedule.starts")}</legend>
        <div class="chips">
          {PRESETS.map((preset) => (
            <Chip
              key={preset}
              label={text(`schedule.preset_${preset}`)}
              isOn={times.preset === preset}
              onPress={() => set({ preset })}
            />
          ))}
        </div>
      </fieldset>
      <div class="fields">
        <TimeFields times={times} problems={problems} set={set} />
        <Field label={text("schedule.jitter")} problem={problems.jitterMinutes}>
          <input
            type="number"
            min={SCHEDULE_LIMITS.jitterMinutes.least}
            value={Number.isNaN(form.jitterMinutes) ? "" : form.jitterMinutes}
            onChange={({ currentTarget }) => change({ ...form, jitterMinutes: numberOf(currentTarget.value) })}
          />
        </Field>
      </div>
    </>
  );
}

interface TimeFieldsProps {
  times: Times;
  problems: Record<string, string>;
  set: (values: Partial<Times>) => void;
}

function TimeFields({ times, problems, set }: TimeFieldsProps) {
  const { preset } = times;
  if (preset === "hourly") return null;
  if (preset === "minutes") {
    return (
      <Field label={text("schedule.interval")} problem={problems.intervalMinutes}>
        <input
          type="number"
          min={SCHEDULE_LIMITS.intervalMinutes.least}
          value={Number.isNaN(times.minutes) ? "" : times.minutes}
          onChange={({ currentTarget }) => set({ minutes: numberOf(currentTarget.value) })}
        />
      </Field>
    );
  }
  return (
    <>
      {preset === "weekly" && (
        <Field label={text("schedule.day")}>
          <Select
            value={String(times.day)}
            choices={DAYS.map((day) => [String(day), dayName(day)])}
            onChoose={(day) => set({ day: Number(day) })}
          />
        </Field>
      )}
      {preset === "cron" ? (
        <Field label={text("schedule.cron")} problem={problems.cron}>
          <input
            class="mono"
            value={times.cron}
            placeholder="0 3 * * *"
            maxLength={SCHEDULE_LIMITS.cron.maxLength}
            onInput={({ currentTarget }) => set({ cron: currentTarget.value })}
          />
        </Field>
      ) : (
        <Field label={text("schedule.time")}>
          <input
            type="time"
            required
            value={times.time}
            onChange={({ currentTarget }) => currentTarget.value && set({ time: currentTarget.value })}
          />
        </Field>
      )}
      <Field label={text("schedule.zone")} problem={problems.timeZone}>
        <Select
          value={times.timeZone}
          choices={zonesWith(times.timeZone, BROWSER_ZONE).map((zone) => [zone, zone])}
          onChoose={(timeZone) => set({ timeZone })}
        />
      </Field>
    </>
  );
}

function numberOf(written: string): number {
  return written.trim() ? Number(written) : Number.NaN;
}
