import { SETTING_LIMITS } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { Chip } from "../../parts/chip.js";
import { Field } from "../../parts/field.js";
import { SOURCES } from "../../run_settings/fields.js";
import { sourceLabel } from "../../run_settings/words.js";
import { useServices } from "../../shell/services.js";
import type { PartProps } from "./drawer.js";
import { withFamily, withScope, type Scope } from "./model.js";
import { Select } from "../../parts/select.js";

/** Choice of the accounts: both sources for a new schedule, or a part of one. */
export function ScopePart({ form, problems, change }: PartProps) {
  const { families } = useServices().info;
  const { scope, settings } = form;
  const scopes: readonly Scope[] = form.id === null ? ["all", ...SOURCES] : SOURCES;
  return (
    <>
      <fieldset class="choices">
        <legend>{text("schedule.accounts")}</legend>
        <div class="chips">
          {scopes.map((name) => (
            <Chip
              key={name}
              label={name === "all" ? text("schedule.all_accounts") : sourceLabel(name)}
              isOn={scope === name}
              onPress={() => change(withScope(form, name))}
            />
          ))}
        </div>
        {scope === "all" && <small>{text("schedule.two_schedules")}</small>}
      </fieldset>
      {scope === "api_key" && (
        <div class="fields">
          <Field label={text("scope.family")} problem={problems.targetType}>
            <Select
              value={settings.targetType}
              choices={families.map(({ token, label }) => [token, token === "all" ? text("scope.all") : label])}
              onChoose={(family) => change(withFamily(form, family))}
            />
          </Field>
          <Field label={text("scope.filter")} hint={text("scope.filter_hint")} problem={problems.providerFilter}>
            <input
              value={settings.providerFilter}
              maxLength={SETTING_LIMITS.providerFilter.maxLength}
              onChange={({ currentTarget }) =>
                change({ ...form, settings: { ...settings, providerFilter: currentTarget.value.trim() } })
              }
            />
          </Field>
        </div>
      )}
      {scope === "oauth" && (
        <Field label={text("scope.type")} hint={text("schedule.type_hint")} problem={problems.targetType}>
          <input
            value={settings.targetType === "all" ? "" : settings.targetType}
            placeholder={text("scope.all")}
            maxLength={SETTING_LIMITS.targetType.maxLength}
            onChange={({ currentTarget }) => change(withFamily(form, currentTarget.value.trim() || "all"))}
          />
        </Field>
      )}
    </>
  );
}
