import { useSignal } from "@preact/signals";
import { Filter as FilterIcon, X } from "lucide";
import { hostName } from "../../accounts/host_name.js";
import { STATUSES, statusText } from "../../accounts/status.js";
import { text, tokenText } from "../../language/catalogue.js";
import { clipped, formatCount } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Chip } from "../../parts/chip.js";
import { TONES } from "../../parts/tone.js";
import { useServices } from "../../shell/services.js";
import { SOURCES } from "../../run_settings/fields.js";
import type { AccountsModel } from "./accounts_model.js";
import { byFrequency, STATE_FILTERS, type Counts, type Filters } from "./query.js";
import { FILTER_NAMES, settingsFor } from "./view_query.js";
import { Select } from "../../parts/select.js";

const HOSTS_OFFERED = 50;
const TYPING_MS = 300;
/** Filters below the button, with those that a link may bring along. */
const BELOW = ["verdict", "action", "state", "status", "host"] as const;

export interface FilterProps {
  model: AccountsModel;
  filters: Filters;
  counts: Counts;
  /** Whether all accounts are here: before that nothing can be counted. */
  isWhole: boolean;
}

/** Health of the accounts in view as a thin bar. */
export function HealthBar({ counts, isWhole }: Pick<FilterProps, "counts" | "isWhole">) {
  const parts = isWhole ? TONES.map((tone) => ({ tone, n: counts.tones.get(tone) ?? 0 })).filter(({ n }) => n) : [];
  const label = parts.map(({ tone, n }) => `${text(`accounts.tone_${tone}`)} ${formatCount(n)}`).join(", ");
  return (
    <div class="health" role="img" aria-label={label || text("accounts.health")}>
      {parts.map(({ tone, n }) => (
        <span key={tone} data-tone={tone} style={{ flexGrow: n }} />
      ))}
    </div>
  );
}

/** Chips by who has to act, with the family and the provider of the accounts in view, and the other filters. */
export function FilterRow(props: FilterProps) {
  const { model, filters, counts, isWhole } = props;
  const { router } = useServices();
  const used = BELOW.some((name) => router.get(name));
  const isOpen = useSignal(false);
  const toggleTone = (tone: string) => {
    const tones = router.list("tone");
    router.set(
      { tone: tones.includes(tone) ? tones.filter((name) => name !== tone) : [...tones, tone] },
      { push: true },
    );
  };
  const isFiltered = FILTER_NAMES.some((name) => router.get(name));
  return (
    <>
      <div class="chips" role="group" aria-label={text("results.by_status")}>
        {TONES.map((tone) => (
          <Chip
            key={tone}
            label={text(`accounts.tone_${tone}`)}
            tone={tone}
            count={isWhole ? (counts.tones.get(tone) ?? 0) : undefined}
            isOn={filters.tones.has(tone)}
            onPress={() => toggleTone(tone)}
          />
        ))}
        {(counts.onHoldInScope > 0 || filters.onHold) && (
          <Chip
            label={text("results.on_hold")}
            count={isWhole ? counts.onHold : undefined}
            isOn={filters.onHold}
            onPress={() => router.set({ onHold: filters.onHold ? "" : "true" }, { push: true })}
          />
        )}
        {isFiltered && (
          <Button
            size="small"
            kind="ghost"
            icon={X}
            label={text("filter.clear")}
            onPress={() => router.set(Object.fromEntries(FILTER_NAMES.map((name) => [name, ""])), { push: true })}
          />
        )}
        <span class="grow" />
        <span class="row">
          <ScopeControls model={model} filters={filters} />
          <Button
            size="small"
            icon={FilterIcon}
            label={text("filter.label")}
            onPress={() => {
              isOpen.value = !isOpen.value && !used;
              if (used) router.set(Object.fromEntries(BELOW.map((name) => [name, ""])), { push: true });
            }}
          />
        </span>
      </div>
      {(isOpen.value || used) && <MoreFilters {...props} />}
    </>
  );
}

/** Family or type of the accounts in view, and the provider filter: what the next run checks as well. */
function ScopeControls({ model, filters }: Pick<FilterProps, "model" | "filters">) {
  const { router, info } = useServices();
  const { source, family, provider } = filters.scope;
  const types = [...model.pool.accounts.value.values()].filter((account) => account.accountSource === "oauth");
  const choices = {
    api_key: info.families.filter(({ token }) => token !== "all").map(({ token, label }) => [token, label]),
    oauth: [...new Set(types.map((account) => account.provider))].sort().map((type) => [type, type]),
  };
  const timer = useSignal<ReturnType<typeof setTimeout> | undefined>(undefined);
  const show = (changes: Partial<typeof filters.scope>) => {
    const scope = { ...filters.scope, ...changes };
    model.settings.replace(settingsFor(model.settings.current.peek(), scope));
    router.set(
      { source: scope.source, family: scope.family === "all" ? "" : scope.family, provider: scope.provider },
      { push: true },
    );
  };
  const filter = (written: string) => {
    clearTimeout(timer.peek());
    if (written !== provider) show({ source: "api_key", provider: written });
  };
  const choose = (written: string) => {
    const [chosen = "", token = "all"] = written.split("/");
    const target = SOURCES.find((name) => name === chosen) ?? "";
    show({ source: target || source, family: token, provider: target === "oauth" ? "" : provider });
  };
  const value = family === "all" ? "" : `${source}/${family}`;
  return (
    <>
      <select
        class="small"
        aria-label={text(source === "oauth" ? "scope.type" : "scope.family")}
        value={value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">{text(source === "oauth" ? "accounts.any_type" : "accounts.any_family")}</option>
        {SOURCES.filter((name) => !source || name === source).map((name) => (
          <optgroup key={name} label={text(`scope.${name}`)}>
            {choices[name].map(([token, label]) => (
              <option key={token} value={`${name}/${token}`}>
                {label}
              </option>
            ))}
            {value.startsWith(`${name}/`) && !choices[name].some(([token]) => token === family) && (
              <option value={value}>{family}</option>
            )}
          </optgroup>
        ))}
      </select>
      {source !== "oauth" && (
        <input
          class="small"
          type="search"
          maxLength={200}
          spellcheck={false}
          aria-label={text("scope.filter")}
          placeholder={text("scope.filter")}
          title={text("scope.filter_hint")}
          value={provider}
          onInput={({ currentTarget }) => {
            clearTimeout(timer.peek());
            const written = currentTarget.value.trim();
            timer.value = setTimeout(() => filter(written), TYPING_MS);
          }}
          onChange={({ currentTarget }) => filter(currentTarget.value.trim())}
        />
      )}
    </>
  );
}

function MoreFilters({ filters, counts, isWhole }: FilterProps) {
  const { router } = useServices();
  const counted = (values: ReadonlyMap<string, number>, label: (value: string) => string): [string, string][] =>
    isWhole ? byFrequency(values).map(([value, n]) => [value, `${label(value)} (${formatCount(n)})`]) : [];
  const statuses = counted(counts.statuses, statusText).map(([value, label]): [string, string] => [
    value || "none",
    label,
  ]);
  const chosen = router.get("verdict");
  if (chosen.includes(",")) {
    const names = router.list("verdict").map((token) => statusText(token === "none" ? "" : token));
    statuses.push([chosen, names.join(", ")]);
  }
  const fields: Record<(typeof BELOW)[number], [string, string][]> = {
    verdict: isWhole ? statuses : STATUSES.map((status) => [status, statusText(status)]),
    action: counted(counts.actions, (action) => tokenText("action", action)),
    state: STATE_FILTERS.map((state) => [state, tokenText("state", state)]),
    status: counted(counts.https, httpText),
    host: counted(counts.hosts, (host) => clipped(hostName(host), 60)).slice(0, HOSTS_OFFERED),
  };
  return (
    <div class="more-filters" role="group" aria-label={text("filter.label")}>
      {BELOW.map((name) => (
        <FilterSelect key={name} name={name} choices={fields[name]} value={valueOf(name, filters, chosen)} />
      ))}
    </div>
  );
}

function valueOf(name: (typeof BELOW)[number], filters: Filters, statuses: string): string {
  return { verdict: statuses, action: filters.action, state: filters.state, status: filters.http, host: filters.host }[
    name
  ];
}

function FilterSelect(props: { name: (typeof BELOW)[number]; choices: [string, string][]; value: string }) {
  const { name, choices, value } = props;
  const { router } = useServices();
  const isOffered = !value || choices.some(([choice]) => choice === value);
  return (
    <Select
      class="small"
      aria-label={text(`filter.${name}`)}
      value={value}
      choices={[["", text(`filter.any_${name}`)], ...choices, ...(isOffered ? [] : [[value, value] as const])]}
      onChoose={(choice) => router.set({ [name]: choice }, { push: true })}
    />
  );
}

function httpText(status: string): string {
  if (status === "none") return text("filter.no_status");
  return status === "0" ? text("time.no_answer") : status;
}
