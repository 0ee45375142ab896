import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { CostAnswer, Source } from "../../connection/api.js";
import { explained, isSilent } from "../../connection/problem.js";
import { text } from "../../language/catalogue.js";
import { Button } from "../../parts/button.js";
import { Drawer } from "../../parts/drawer.js";
import { Field } from "../../parts/field.js";
import { Segmented } from "../../parts/segmented.js";
import { FIELDS, flawsOf, SOURCES, type Settings } from "../../run_settings/fields.js";
import { SettingsFields } from "../../run_settings/settings_fields.js";
import { chooseFamily, switchSource } from "../../run_settings/stored_settings.js";
import { useServices } from "../../shell/services.js";
import type { AccountsModel } from "./accounts_model.js";
import { READING_AGE } from "./pool_reader.js";
import { costText } from "./run_text.js";
import { Select, type Choices } from "../../parts/select.js";

const SETTLE_MS = 300;

interface RunDrawerProps {
  model: AccountsModel;
  /** Whether the source of the run is the one in view. */
  isSettled: boolean;
  onClose: () => void;
}

/** What the next run checks and how, with what it costs at most. */
export function RunDrawer({ model, isSettled, onClose }: RunDrawerProps) {
  const { notices, router } = useServices();
  const settings = model.settings.current.value;
  const unusable = useSignal<Partial<Settings>>({});
  const shown = { ...settings, ...unusable.value };
  const flaws = flawsOf(shown);
  const change = (next: Settings) => {
    const flawed = flawsOf(next);
    const entries = Object.entries(next);
    unusable.value = Object.fromEntries(entries.filter(([name]) => flawed[name]));
    model.settings.change(Object.fromEntries(entries.filter(([name]) => !flawed[name])));
  };
  const changed = model.settings.changed().length;
  const isActing = settings.autoActionMode !== "none";
  const isStartable = isSettled && !Object.keys(flaws).length && !model.runs.active;
  const start = () =>
    notices.attempt("run", async () => {
      await model.runs.start(model.settings.current.peek());
      // Accounts without a result all leave such a list while a run checks them.
      const isUnchecked = ["in_checks", "old"].includes(router.get("state"));
      const verdicts = router.list("verdict").filter((token) => token !== "none");
      router.set({ run: "", verdict: verdicts, ...(isUnchecked ? { state: "" } : {}) });
      onClose();
    });
  const foot = (
    <>
      <Button
        onPress={() => {
          unusable.value = {};
          model.settings.reset();
        }}
      >
        {text("settings_form.reset")}
      </Button>
      <span class="quiet grow">{changed > 0 && text("settings_form.changed", { n: changed })}</span>
      <Button kind="primary" isDisabled={!isStartable} onPress={start}>
        {text(isActing ? "run.start_acting" : "run.start")}
      </Button>
    </>
  );
  return (
    <Drawer title={text("accounts.check_now")} head={<Cost model={model} />} foot={foot} onClose={onClose}>
      <ScopeFields model={model} />
      <SettingsFields
        fields={FIELDS.filter(({ group, name }) => group && name in model.settings.defaults)}
        settings={shown}
        problems={flaws}
        onChange={change}
      />
    </Drawer>
  );
}

/** Source, family or type, and provider filter: the same as those of a list that shows one source. */
function ScopeFields({ model }: { model: AccountsModel }) {
  const { info, router } = useServices();
  const settings = model.settings.current.value;
  const { accountSource, targetType, providerFilter } = settings;
  const files = [...model.pool.accounts.value.values()].filter((account) => account.accountSource === "oauth");
  const choices: Choices =
    accountSource === "api_key"
      ? info.families.filter(({ token }) => token !== "all").map(({ token, label }) => [token, label] as const)
      : [...new Set([...files.map(({ provider }) => provider), ...(targetType === "all" ? [] : [targetType])])]
          .sort()
          .map((type) => [type, type] as const);
  const choose = (next: Settings) => {
    model.settings.replace(next);
    const { accountSource: source, targetType: family } = next;
    const provider = source === "api_key" ? next.providerFilter : "";
    if (router.get("source")) router.set({ source, family: family === "all" ? "" : family, provider });
  };
  return (
    <section class="stack">
      <Segmented<Source>
        label={text("scope.source")}
        value={accountSource}
        segments={SOURCES.map((value) => ({ value, label: text(`scope.${value}`) }))}
        onChange={(source) => {
          if (source !== accountSource) choose(switchSource(settings, source));
        }}
      />
      <div class="fields">
        <Field label={text(accountSource === "api_key" ? "scope.family" : "scope.type")}>
          <Select
            value={targetType}
            choices={[["all", text("scope.all")], ...choices]}
            onChoose={(family) => choose(chooseFamily(settings, family))}
          />
        </Field>
        {accountSource === "api_key" && (
          <Field label={text("scope.filter")} hint={text("scope.filter_hint")}>
            <input
              maxLength={200}
              spellcheck={false}
              value={providerFilter}
              onChange={({ currentTarget }) => choose({ ...settings, providerFilter: currentTarget.value.trim() })}
            />
          </Field>
        )}
      </div>
    </section>
  );
}

/** Most that the run can cost, asked for again when the settings change. */
function Cost({ model }: { model: AccountsModel }) {
  const { client } = useServices();
  const settings = model.settings.current.value;
  const words = useSignal("");
  useEffect(() => {
    let isCurrent = true;
    const read = async (sent: Settings) => {
      const cost: CostAnswer = await client.post("inspections/cost", sent, { age: READING_AGE });
      return costText(cost);
    };
    const ask = async () => {
      const said = await read(settings).catch((problem: unknown) =>
        isSilent(problem) ? "" : text("cost.unknown", { problem: explained(problem).message }),
      );
      if (isCurrent) words.value = said;
    };
    const timer = setTimeout(() => void ask(), SETTLE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [JSON.stringify(settings)]);
  return (
    <p class="quiet" role="status">
      {words.value}
    </p>
  );
}
