import { useSignal } from "@preact/signals";
import { text } from "../language/catalogue.js";
import { Field as FieldRow } from "../parts/field.js";
import {
  fieldHint,
  fieldLabel,
  FIELDS,
  flawOf,
  GROUPS,
  valueLabel,
  type Field,
  type Group,
  type Settings,
  type SwitchesField,
} from "./fields.js";

export interface SettingsFormProps {
  settings: Settings;
  defaults: Settings;
  onChange: (changes: Partial<Settings>) => void;
  /** Hears whether a field holds a value that cannot be kept. */
  onFlaws: (name: string, isFlawed: boolean) => void;
}

/** Form of the settings of a run; each is kept as soon as it is valid. */
export function SettingsForm(props: SettingsFormProps) {
  return (
    <>
      {GROUPS.map((group) => (
        <GroupView key={group} group={group} {...props} />
      ))}
    </>
  );
}

function GroupView({ group, ...props }: SettingsFormProps & { group: Group }) {
  const fields = FIELDS.filter((field) => field.group === group && field.name in props.defaults);
  if (!fields.length) return null;
  return (
    <section class="stack">
      <h3>{text(`field_group.${group}`)}</h3>
      <div class="fields">
        {fields.map((field) => (
          <FieldView key={field.name} field={field} {...props} />
        ))}
      </div>
    </section>
  );
}

function FieldView({ field, settings, onChange, onFlaws }: SettingsFormProps & { field: Field }) {
  const flaw = useSignal("");
  const isOff = field.needs !== undefined && !field.needs(settings);
  const save = (value: unknown) => {
    flaw.value = flawOf(field, value);
    onFlaws(field.name, flaw.value !== "");
    if (!flaw.value) onChange({ [field.name]: value });
  };
  const shared = { label: fieldLabel(field), hint: fieldHint(field), problem: flaw.value };
  const value = settings[field.name];
  switch (field.kind) {
    case "switches":
      return <SwitchesView field={field} settings={settings} isOff={isOff} save={save} hint={shared.hint} />;
    case "switch":
      return (
        <FieldRow {...shared}>
          <input
            type="checkbox"
            checked={value === true}
            disabled={isOff}
            onChange={({ currentTarget }) => save(currentTarget.checked)}
          />
        </FieldRow>
      );
    case "choice":
      return (
        <FieldRow {...shared}>
          <select value={String(value)} disabled={isOff} onChange={({ currentTarget }) => save(currentTarget.value)}>
            {(field.choices?.(settings) ?? field.values).map((choice) => (
              <option key={choice} value={choice}>
                {valueLabel(field, choice, settings)}
              </option>
            ))}
          </select>
        </FieldRow>
      );
    case "text":
      return (
        <FieldRow {...shared}>
          <input
            maxLength={field.maxLength}
            spellcheck={false}
            disabled={isOff}
            defaultValue={String(value)}
            onChange={({ currentTarget }) => save(currentTarget.value.trim())}
          />
        </FieldRow>
      );
    default:
      return (
        <FieldRow {...shared}>
          <input
            type="number"
            inputMode="numeric"
            min={field.kind === "count" ? field.least : 0}
            max={field.kind === "count" ? field.most : 100}
            disabled={isOff}
            defaultValue={field.kind === "share" ? percentOf(value) : String(value)}
            onInput={({ currentTarget }) => save(numberOf(currentTarget.value, field.kind === "share" ? 100 : 1))}
          />
        </FieldRow>
      );
  }
}

function SwitchesView(props: {
  field: SwitchesField;
  settings: Settings;
  isOff: boolean;
  hint: string;
  save: (value: unknown) => void;
}) {
  const { field, settings, isOff, hint, save } = props;
  const switches = settings.realtimeAutoActions;
  return (
    <fieldset class="choices" disabled={isOff}>
      <legend>{fieldLabel(field)}</legend>
      {field.parts.map((part) => {
        const isLet = field.lets === undefined || field.lets(settings, part);
        return (
          <label key={part}>
            <input
              type="checkbox"
              checked={switches[part] && isLet}
              disabled={!isLet}
              onChange={({ currentTarget }) => save({ ...switches, [part]: currentTarget.checked })}
            />
            {valueLabel(field, part, settings)}
          </label>
        );
      })}
      <small>{hint}</small>
    </fieldset>
  );
}

function percentOf(share: unknown): string {
  return String(Math.round(1000 * Number(share)) / 10);
}

function numberOf(written: string, parts: number): number {
  return written.trim() === "" ? NaN : Number(written) / parts;
}
