import { signal } from "@preact/signals";
import type { Source } from "../connection/api.js";
import { text } from "../language/catalogue.js";
import { fieldLabel, FIELDS, flawOf, type Field, type Settings } from "./fields.js";

/** The one key in local storage. It holds settings only: no credential, no result. */
export const STORAGE_KEY = "poolkeeper.inspection.settings";
const LONGEST_NAME = 40;

/** Settings of a run, kept in this browser. */
export class StoredSettings {
  readonly current;
  readonly defaults: Settings;

  /** Asking for the storage is refused by some browsers. `defaults` are the service's, of which this page knows some. */
  constructor(
    private readonly storage: () => Storage,
    defaults: Partial<Settings>,
    private readonly families: readonly string[],
  ) {
    const known = FIELDS.filter(({ name }) => name in defaults).map(({ name }) => [name, defaults[name]]);
    this.defaults = Object.fromEntries(known) as Settings;
    this.current = signal<Settings>({ ...this.defaults });
  }

  /** Restore what is stored; return a message for each part that was left out. */
  restore(): string[] {
    const { settings, ignored } = parseStored(this.#read(), this.defaults, this.families);
    this.current.value = settings;
    if (ignored.length) this.#write();
    return ignored;
  }

  change(changes: Partial<Settings>): void {
    this.replace({ ...this.current.peek(), ...changes });
  }

  replace(settings: Settings): void {
    this.current.value = settings;
    this.#write();
  }

  /** Return to the service's defaults, except for the accounts in view. */
  reset(): void {
    const current = this.current.peek();
    const scope = FIELDS.filter(({ name, group }) => !group && name in current);
    this.replace({ ...this.defaults, ...Object.fromEntries(scope.map(({ name }) => [name, current[name]])) });
  }

  /** Return the fields of the form that the service knows, and that differ from its defaults. */
  changed(): Field[] {
    const current = this.current.value;
    return FIELDS.filter(
      ({ name, group }) => group && name in this.defaults && !same(current[name], this.defaults[name]),
    );
  }

  #read(): string | null {
    try {
      return this.storage().getItem(STORAGE_KEY);
    } catch {
      return null;
    }
  }

  #write(): void {
    try {
      this.storage().setItem(STORAGE_KEY, JSON.stringify(this.current.peek()));
    } catch {
      // A browser that refuses storage still inspects; only the memory of the settings is lost.
    }
  }
}

/** Parse stored settings: the valid ones, with the service's defaults for the others, and why parts were left out. */
export function parseStored(
  written: string | null,
  defaults: Settings,
  families: readonly string[],
): { settings: Settings; ignored: string[] } {
  if (written === null) return { settings: { ...defaults }, ignored: [] };
  const stored = parseObject(written);
  if (!stored) return { settings: { ...defaults }, ignored: [text("stored_settings.unreadable")] };
  const settings = { ...defaults };
  const ignored: string[] = [];
  for (const [name, value] of Object.entries(stored)) {
    const field = FIELDS.find((known) => known.name === name);
    if (!field || !(name in defaults)) {
      ignored.push(text("stored_settings.unknown", { name: shortened(name) }));
      continue;
    }
    const isUnknown = name === "apiKeyFamily" && !families.includes(String(value));
    const flaw = isUnknown ? text("flaw.family", { field: fieldLabel(field) }) : flawOf(field, value);
    if (flaw) ignored.push(flaw);
    else Object.assign(settings, { [name]: value });
  }
  for (const field of FIELDS.filter((each) => !isAllowed(each, settings))) {
    const value = String(settings[field.name]);
    ignored.push(text("stored_settings.not_here", { field: fieldLabel(field), value }));
    Object.assign(settings, { [field.name]: defaults[field.name] });
  }
  // Under API keys both names carry the family; the service refuses them when they differ.
  if (settings.accountSource === "api_key") settings.targetType = settings.apiKeyFamily;
  return { settings, ignored };
}

/** Return the settings for another source: automatic actions off, family as last chosen there. */
export function switchSource(settings: Settings, source: Source): Settings {
  const family = source === "api_key" ? settings.apiKeyFamily : "all";
  return { ...settings, accountSource: source, targetType: family, autoActionMode: "none" };
}

/** Return the settings with another family, or another type of file. */
export function chooseFamily(settings: Settings, family: string): Settings {
  if (settings.accountSource !== "api_key") return { ...settings, targetType: family };
  return { ...settings, targetType: family, apiKeyFamily: family };
}

function isAllowed(field: Field, settings: Settings): boolean {
  if (field.kind !== "choice" || !field.choices) return true;
  return field.choices(settings).some((known) => known === settings[field.name]);
}

function parseObject(written: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(written);
    return value && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function shortened(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
