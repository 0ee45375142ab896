import { useSignal } from "@preact/signals";
import type { ScheduleView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { clipped } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { ConfirmButton } from "../../parts/confirm_button.js";
import { Drawer } from "../../parts/drawer.js";
import { Field } from "../../parts/field.js";
import { Refused, useForm } from "../../parts/form.js";
import type { Refusal } from "../../parts/refusal.js";
import { DETAIL_FIELDS } from "../../run_settings/fields.js";
import { SettingsFields } from "../../run_settings/settings_fields.js";
import { useServices } from "../../shell/services.js";
import { ActsPart, TellPart } from "./effect.js";
import { problemsOf, requestsOf, type ScheduleForm } from "./model.js";
import { ScopePart } from "./scope_part.js";
import { WhenPart } from "./when_part.js";

const OWN_FIELDS = ["name", "intervalMinutes", "cron", "timeZone", "jitterMinutes", "targetType", "providerFilter"];
const FIELDS = [...OWN_FIELDS, ...DETAIL_FIELDS.map(({ name }) => name)];

export interface PartProps {
  form: ScheduleForm;
  problems: Refusal;
  change: (form: ScheduleForm) => void;
}

export interface ScheduleDrawerProps {
  initial: ScheduleForm;
  /** Schedule that is changed; absent for a new one. */
  stored: ScheduleView | undefined;
  onClose: () => void;
  refresh: () => Promise<void>;
  /** Starts a run of the stored schedule. */
  run: (schedule: ScheduleView) => Promise<unknown>;
}

/** Form of a schedule with everything that it will run with. */
export function ScheduleDrawer({ initial, stored, onClose, refresh, run }: ScheduleDrawerProps) {
  const { client, notices } = useServices();
  const form = useSignal(initial);
  const { refusal: problems, isBusy, attempt } = useForm(FIELDS);
  const change = (next: ScheduleForm) => {
    form.value = next;
    problems.value = {};
  };
  const save = async (runsNow: boolean) => {
    problems.value = problemsOf(form.peek());
    if (Object.keys(problems.peek()).length) return;
    await attempt(async () => {
      const saved: ScheduleView[] = [];
      for (const request of requestsOf(form.peek())) {
        // One run at a time: the second of two sources comes due now, and its run begins after that of the first.
        const due = runsNow && saved.length > 0;
        const { schedule, accountsInScope } = await client.post("inspections/schedules", request, due ? { due } : {});
        const warning = text("schedule.no_accounts", { name: schedule.name });
        if (accountsInScope === 0) notices.show("schedule-scope", { level: "warning", text: warning });
        if (runsNow && !saved.length) await run(schedule);
        saved.push(schedule);
      }
      void refresh();
      onClose();
    });
  };
  const remove = () =>
    notices.attempt("schedules", async () => {
      await client.delete("inspections/schedules", { schedule: stored?.id ?? 0 });
      onClose();
      notices.show("schedule-removed", {
        isToast: true,
        text: text("schedule.removed", { name: clipped(initial.name) }),
      });
      await refresh();
    });
  const foot = (
    <>
      {stored && <RemoveButton name={stored.name} remove={remove} />}
      <span class="grow" />
      <Button isBusy={isBusy.value} onPress={() => save(true)}>
        {text("schedule.save_and_run")}
      </Button>
      <Button kind="primary" isBusy={isBusy.value} onPress={() => save(false)}>
        {text("schedule.save")}
      </Button>
    </>
  );
  const part = { form: form.value, problems: problems.value, change };
  return (
    <Drawer title={<bdi>{stored?.name ?? text("schedule.new")}</bdi>} foot={foot} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save(false);
        }}
      >
        <Field label={text("schedule.name")} problem={part.problems.name}>
          <input
            autoFocus={!stored}
            value={part.form.name}
            required
            maxLength={100}
            onInput={(event) => change({ ...form.peek(), name: event.currentTarget.value })}
          />
        </Field>
        <WhenPart {...part} />
        <ScopePart {...part} />
        <ActsPart {...part} />
        <Details {...part} />
        <TellPart />
        <Refused of={part.problems} />
        <button type="submit" hidden />
      </form>
    </Drawer>
  );
}

/** All other settings, folded; open where one of them is refused. */
function Details({ form, problems, change }: PartProps) {
  const isRefused = DETAIL_FIELDS.some(({ name }) => problems[name]);
  return (
    <details open={isRefused || undefined}>
      <summary>{text("schedule.details")}</summary>
      <div class="stack">
        <SettingsFields
          fields={DETAIL_FIELDS}
          settings={form.settings}
          problems={problems}
          onChange={(settings) => change({ ...form, settings })}
        />
      </div>
    </details>
  );
}

function RemoveButton({ name, remove }: { name: string; remove: () => Promise<unknown> }) {
  return (
    <ConfirmButton
      question={text("schedule.remove_question", { name: clipped(name) })}
      effect={text("schedule.remove_effect")}
      act={remove}
    >
      {text("schedule.remove")}
    </ConfirmButton>
  );
}
