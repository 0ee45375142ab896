import { text } from "../language/catalogue.js";
import { Field as FieldRow } from "../parts/field.js";
import {
  fieldHint,
  fieldLabel,
  GROUPS,
  valueLabel,
  type Field,
  type Settings,
  type SwitchesField,
  type SwitchField,
} from "./fields.js";
import { Select } from "../parts/select.js";

const PERCENT = 100;

export interface SettingsFieldsProps {
  fields: readonly Field[];
  settings: Settings;
  /** Flaws and refusals by name. */
  problems: Record<string, string>;
  onChange: (settings: Settings) => void;
}

/** Settings of a run in their groups, with the values in force. */
export function SettingsFields({ fields, ...props }: SettingsFieldsProps) {
  const groups = GROUPS.filter((group) => fields.some((field) => field.group === group));
  return (
    <>
      {groups.map((group) => (
        <section key={group} class="stack">
          <h3>{text(`field_group.${group}`)}</h3>
          <div class="fields">
            {fields
              .filter((field) => field.group === group)
              .map((field) => (
                <SettingControl key={field.name} field={field} {...props} />
              ))}
          </div>
        </section>
      ))}
    </>
  );
}

function SettingControl(props: Omit<SettingsFieldsProps, "fields"> & { field: Field }) {
  const { field, settings, problems, onChange } = props;
  const { name } = field;
  const isDisabled = field.needs?.(settings) === false;
  const change = (value: unknown) => onChange({ ...settings, [name]: value });
  if (field.kind === "switch") return <SwitchView {...{ field, settings, isDisabled, change }} />;
  if (field.kind === "switches") return <SwitchesView {...{ field, settings, isDisabled, change }} />;
  const row = { label: fieldLabel(field), hint: fieldHint(field), problem: problems[name] };
  const value = settings[name];
  if (field.kind === "choice") {
    return (
      <FieldRow {...row}>
        <Select
          disabled={isDisabled}
          value={String(value)}
          choices={(field.choices?.(settings) ?? field.values).map((token) => [
            token,
            valueLabel(field, token, settings),
          ])}
          onChoose={change}
        />
      </FieldRow>
    );
  }
  if (field.kind === "text") {
    return (
      <FieldRow {...row}>
        <input
          value={String(value)}
          maxLength={field.maxLength}
          spellcheck={false}
          disabled={isDisabled}
          onChange={(event) => change(event.currentTarget.value.trim())}
        />
      </FieldRow>
    );
  }
  const scale = field.kind === "share" ? PERCENT : 1;
  return (
    <FieldRow {...row}>
      <input
        type="number"
        inputMode="numeric"
        min={field.kind === "count" ? field.least : 0}
        max={field.kind === "count" ? field.most : PERCENT}
        disabled={isDisabled}
        value={Number.isNaN(value) ? "" : Math.round(Number(value) * scale * 10) / 10}
        onInput={({ currentTarget }) =>
          change(currentTarget.value.trim() ? Number(currentTarget.value) / scale : Number.NaN)
        }
      />
    </FieldRow>
  );
}

interface SwitchProps<Shown extends Field> {
  field: Shown;
  settings: Settings;
  isDisabled: boolean;
  change: (value: unknown) => void;
}

function SwitchView({ field, settings, isDisabled, change }: SwitchProps<SwitchField>) {
  return (
    <div class="choices">
      <label>
        <input
          type="checkbox"
          disabled={isDisabled}
          checked={settings[field.name] === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        <span>
          {fieldLabel(field)}
          <small>{fieldHint(field)}</small>
        </span>
      </label>
    </div>
  );
}

/** A box for each part of a group of switches; one that the other settings rule out is off. */
function SwitchesView({ field, settings, isDisabled, change }: SwitchProps<SwitchesField>) {
  const switches = settings.realtimeAutoActions;
  return (
    <fieldset class="choices" disabled={isDisabled}>
      <legend>{fieldLabel(field)}</legend>
      {field.parts.map((part) => {
        const isLet = field.lets === undefined || field.lets(settings, part);
        return (
          <label key={part}>
            <input
              type="checkbox"
              checked={switches[part] && isLet}
              disabled={!isLet}
              onChange={(event) => change({ ...switches, [part]: event.currentTarget.checked })}
            />
            {valueLabel(field, part, settings)}
          </label>
        );
      })}
      <small>{fieldHint(field)}</small>
    </fieldset>
  );
}
