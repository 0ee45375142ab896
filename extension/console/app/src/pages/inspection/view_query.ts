/** The view of the page as its address names it. Pure. */

import { STATUSES } from "../../accounts/status.js";
import { RECOMMENDATIONS } from "../../connection/api.js";
import { TONES } from "../../parts/tone.js";
import type { Tone } from "../../parts/tone.js";
import type { Settings } from "../../run_settings/fields.js";
import { chooseFamily, switchSource } from "../../run_settings/stored_settings.js";
import { SOURCES } from "../../run_settings/fields.js";
import { ORDERS, STATE_FILTERS, type Filters, type Scope } from "./query.js";

/** Characters at the end of a key by which an account is found; the rest of a pasted key is never sent. */
const TAIL = 4;
const KEY = /^[\w.-]{20,}$/;
const LONGEST_SEARCH = 200;
/** Values of the address that filter the list beside its scope. */
export const FILTER_NAMES = ["q", "tone", "verdict", "action", "state", "status", "host", "onHold"] as const;

export const TABS = ["all", "api_key", "oauth"] as const;
export type Tab = (typeof TABS)[number];
export const DRAWER_TABS = ["evidence", "history", "usage", "configuration"] as const;

type Get = (name: string) => string;

/** Return the accounts in view as the address names them; families of keys that do not exist count as all. */
export function scopeOf(get: Get, families: readonly string[]): Scope {
  const source = SOURCES.find((name) => name === get("source")) ?? "";
  const family = get("family").slice(0, 100) || "all";
  const isKnown = source === "oauth" || families.includes(family);
  return {
    source,
    family: source && isKnown ? family : "all",
    provider: source === "api_key" ? get("provider").slice(0, LONGEST_SEARCH) : "",
  };
}

/** Return the filters of the address; a value that cannot be used counts as absent. */
export function filtersOf(get: Get, scope: Scope): Filters {
  const list = (name: string) => get(name).split(",").filter(Boolean);
  const oneOf = (name: string, values: readonly string[]) => (values.includes(get(name)) ? get(name) : "");
  const statuses = list("verdict").filter((token) => token === "none" || STATUSES.some((status) => status === token));
  return {
    scope,
    search: get("q").slice(0, LONGEST_SEARCH),
    tones: new Set(list("tone").filter((tone): tone is Tone => TONES.some((known) => known === tone))),
    statuses: new Set(statuses.map((token) => (token === "none" ? "" : token))),
    action: oneOf("action", RECOMMENDATIONS),
    state: oneOf("state", STATE_FILTERS),
    http: /^(?:\d{1,3}|none)$/.test(get("status")) ? get("status") : "",
    host: get("host").slice(0, 253),
    onHold: get("onHold") === "true",
  };
}

/** Return the values of the address that the page cannot use, with their names. */
export function unusableValues(get: Get, families: readonly string[]): [name: string, value: string][] {
  const filters = filtersOf(get, scopeOf(get, families));
  const used: Record<string, boolean> = {
    source: SOURCES.some((name) => name === get("source")),
    family: get("source") !== "api_key" || families.includes(get("family")),
    tone: filters.tones.size === get("tone").split(",").length,
    verdict: filters.statuses.size === get("verdict").split(",").length,
    action: filters.action !== "",
    state: filters.state !== "",
    status: filters.http !== "",
    onHold: ["true", "false"].includes(get("onHold")),
    run: numberOf(get("run")) !== null,
    account: numberOf(get("account")) !== null,
    sort: ORDERS.some((name) => get("sort") === name || get("sort") === `${name}.desc`),
  };
  return Object.keys(used)
    .filter((name) => get(name) && !used[name])
    .map((name) => [name, get(name)]);
}

/** Return a number of the address; null for anything else. */
export function numberOf(written: string): number | null {
  return /^[1-9]\d{0,14}$/.test(written) ? Number(written) : null;
}

/**
 * Return what to search for. Something as long as a key that no account shows is a key: only its end is kept, so that
 * it stands neither in the address nor in a request.
 */
export function searchOf(typed: string, isShown: (words: string) => boolean): string {
  const words = typed.trim();
  return KEY.test(words) && !isShown(words.toLowerCase()) ? words.slice(-TAIL) : words;
}

/** Return the settings of a run over the accounts in view; without a source in view they stay as they are. */
export function settingsFor(settings: Settings, { source, family, provider }: Scope): Settings {
  if (!source) return settings;
  const switched: Settings = source === settings.accountSource ? settings : switchSource(settings, source);
  return {
    ...chooseFamily(switched, family),
    providerFilter: source === "api_key" ? provider : settings.providerFilter,
  };
}

/** Return the accounts of a tab as they were last chosen there. */
export function tabScope(tab: Tab, { accountSource, targetType, apiKeyFamily, providerFilter }: Settings): Scope {
  if (tab === "api_key") return { source: tab, family: apiKeyFamily, provider: providerFilter };
  const family = tab === "oauth" && accountSource === "oauth" ? targetType : "all";
  return { source: tab === "all" ? "" : tab, family, provider: "" };
}
