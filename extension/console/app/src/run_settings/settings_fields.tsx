import { text } from "../language/catalogue.js";
import { Field } from "../parts/field.js";
import {
  fieldHint,
  fieldLabel,
  GROUPS,
  SETTING_FIELDS,
  valueLabel,
  type SettingField,
  type Settings,
} from "./fields.js";

const PERCENT = 100;

export interface SettingsFieldsProps {
  settings: Settings;
  /** Flaws and refusals by name. */
  problems: Record<string, string>;
  onChange: (settings: Settings) => void;
}

/** Every setting of a run in its group, with the value in force. */
export function SettingsFields(props: SettingsFieldsProps) {
  return (
    <>
      {GROUPS.map((group) => (
        <section key={group}>
          <h3>{text(`field_group.${group}`)}</h3>
          <div class="fields">
            {SETTING_FIELDS.filter((field) => field.group === group).map((field) => (
              <SettingControl key={field.name} field={field} {...props} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

function SettingControl({ field, settings, problems, onChange }: SettingsFieldsProps & { field: SettingField }) {
  const { name } = field;
  const isDisabled = field.needs?.(settings) === false;
  const change = (value: unknown) => onChange({ ...settings, [name]: value });
  if (field.kind === "switch" || field.kind === "switches") {
    return <Switches field={field} settings={settings} isDisabled={isDisabled} change={change} />;
  }
  const label = { label: fieldLabel(name), hint: fieldHint(field), problem: problems[name] };
  const value = settings[name];
  if (field.kind === "choice") {
    return (
      <Field {...label}>
        <select disabled={isDisabled} value={String(value)} onChange={(event) => change(event.currentTarget.value)}>
          {field.values.map((token) => (
            <option key={token} value={token}>
              {valueLabel(name, token)}
            </option>
          ))}
        </select>
      </Field>
    );
  }
  if (field.kind === "text") {
    return (
      <Field {...label}>
        <input
          value={String(value)}
          maxLength={field.maxLength}
          onChange={(event) => change(event.currentTarget.value.trim())}
        />
      </Field>
    );
  }
  const scale = field.kind === "share" ? PERCENT : 1;
  return (
    <Field {...label}>
      <input
        type="number"
        inputMode="numeric"
        disabled={isDisabled}
        value={Number.isNaN(value) ? "" : Math.round(Number(value) * scale * 10) / 10}
        onChange={({ currentTarget }) =>
          change(currentTarget.value.trim() ? Number(currentTarget.value) / scale : Number.NaN)
        }
      />
    </Field>
  );
}

interface SwitchesProps {
  field: SettingField;
  settings: Settings;
  isDisabled: boolean;
  change: (value: unknown) => void;
}

/** One box, or a box for each part of a group of switches; an API key is never deleted. */
function Switches({ field, settings, isDisabled, change }: SwitchesProps) {
  if (field.kind !== "switches") {
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
            {fieldLabel(field.name)}
            <small>{fieldHint(field)}</small>
          </span>
        </label>
      </div>
    );
  }
  const switches = settings.realtimeAutoActions;
  const parts = field.parts.filter((part) => part !== "delete" || settings.accountSource === "oauth");
  return (
    <fieldset class="choices" disabled={isDisabled}>
      <legend>{fieldLabel(field.name)}</legend>
      {parts.map((part) => (
        <label key={part}>
          <input
            type="checkbox"
            checked={switches[part]}
            onChange={(event) => change({ ...switches, [part]: event.currentTarget.checked })}
          />
          {valueLabel(field.name, part)}
        </label>
      ))}
      <small>{fieldHint(field)}</small>
    </fieldset>
  );
}
