/**
 * Settings of a run with their values. Names and values are the service's, as are the defaults; labels and hints are in
 * the catalogue, by these names.
 */

import {
  MODES_BY_SOURCE,
  SETTING_LIMITS,
  type InspectionSettings,
  type RealtimeAutoActions,
  type Source,
} from "../connection/api.js";
import { text, tokenText } from "../language/catalogue.js";

export type Settings = InspectionSettings;
export type Switches = RealtimeAutoActions;

/** Groups of the form, in their order. */
export const GROUPS = ["actions", "breaker", "accounts", "checks", "recommendations", "concurrency"] as const;
export type Group = (typeof GROUPS)[number];

interface FieldFacts {
  name: keyof Settings;
  /** Group of the form; a field without one is set by the controls of the accounts in view. */
  group?: Group;
  /** Whether the setting has an effect beside the others. */
  needs?: (settings: Settings) => boolean;
}
export type TextField = FieldFacts & { kind: "text"; maxLength: number };
export type CountField = FieldFacts & { kind: "count"; least: number; most: number };
/** A number from 0 to 1, written in percent. */
export type ShareField = FieldFacts & { kind: "share" };
export type SwitchField = FieldFacts & { kind: "switch" };
export type ChoiceField = FieldFacts & {
  kind: "choice";
  values: readonly string[];
  /** Values that the other settings allow. */
  choices?: (settings: Settings) => readonly string[];
};
export type SwitchesField = FieldFacts & {
  kind: "switches";
  parts: readonly (keyof Switches)[];
  /** Whether the other settings allow a switch. */
  lets?: (settings: Settings, part: keyof Switches) => boolean;
};
export type Field = TextField | CountField | ShareField | SwitchField | ChoiceField | SwitchesField;

export const SOURCES: readonly Source[] = ["api_key", "oauth"];

const custom = ({ decisionPolicy }: Settings) => decisionPolicy === "configurable";
const ofFiles = ({ accountSource }: Settings) => accountSource === "oauth";
const acts = ({ autoActionMode }: Settings) => autoActionMode !== "none";
const stops = ({ brake }: Settings) => brake;
const LIMITS = SETTING_LIMITS;

export const FIELDS: readonly Field[] = [
  { name: "accountSource", kind: "choice", ...LIMITS.accountSource },
  { name: "targetType", kind: "text", ...LIMITS.targetType },
  { name: "apiKeyFamily", kind: "text", ...LIMITS.targetType },
  { name: "providerFilter", kind: "text", ...LIMITS.providerFilter },
  { name: "probeModel", group: "checks", kind: "text", ...LIMITS.probeModel },
  { name: "probePromptMode", group: "checks", kind: "choice", ...LIMITS.probePromptMode },
  { name: "modelsPath", group: "checks", kind: "choice", ...LIMITS.modelsPath },
  {
    name: "autoActionMode",
    group: "actions",
    kind: "choice",
    ...LIMITS.autoActionMode,
    choices: ({ accountSource }) => MODES_BY_SOURCE[accountSource],
  },
  {
    name: "realtimeAutoActions",
    group: "actions",
    kind: "switches",
    ...LIMITS.realtimeAutoActions,
    needs: acts,
    lets: ({ accountSource }, part) => part !== "delete" || accountSource === "oauth",
  },
  { name: "brake", group: "breaker", kind: "switch" },
  { name: "brakeShare", group: "breaker", kind: "share", needs: stops },
  { name: "brakeMinimum", group: "breaker", kind: "count", ...LIMITS.brakeMinimum, needs: stops },
  { name: "disableLimit", group: "breaker", kind: "share", needs: stops },
  { name: "disableMinimum", group: "breaker", kind: "count", ...LIMITS.disableMinimum, needs: stops },
  { name: "keepAtLeast", group: "breaker", kind: "count", ...LIMITS.keepAtLeast },
  { name: "decisionPolicy", group: "recommendations", kind: "choice", ...LIMITS.decisionPolicy },
  { name: "onQuota", group: "recommendations", kind: "choice", ...LIMITS.onQuota, needs: custom },
  { name: "onServerError", group: "recommendations", kind: "choice", ...LIMITS.onServerError, needs: custom },
  { name: "workers", group: "concurrency", kind: "count", ...LIMITS.workers },
  { name: "timeoutSeconds", group: "checks", kind: "count", ...LIMITS.timeoutSeconds },
  { name: "hostLimit", group: "concurrency", kind: "count", ...LIMITS.hostLimit },
  { name: "retries", group: "checks", kind: "count", ...LIMITS.retries },
  { name: "sampleSize", group: "accounts", kind: "count", ...LIMITS.sampleSize },
  { name: "evidenceFirst", group: "accounts", kind: "switch" },
  { name: "evidenceChecks", group: "checks", kind: "switch" },
  { name: "checkDepth", group: "checks", kind: "choice", ...LIMITS.checkDepth },
  { name: "shortWindowPercent", group: "recommendations", kind: "count", ...LIMITS.shortWindowPercent, needs: ofFiles },
  { name: "longWindowPercent", group: "recommendations", kind: "count", ...LIMITS.longWindowPercent, needs: ofFiles },
  { name: "previewCharacters", group: "checks", kind: "count", ...LIMITS.previewCharacters },
  { name: "familyDefaultAddress", group: "accounts", kind: "switch" },
];

/** Settings that a form shows beside the accounts in view and what a run may do. */
export const DETAIL_FIELDS = FIELDS.filter(({ name, group }) => group && name !== "autoActionMode");

// A single line contains no control characters.
// eslint-disable-next-line no-control-regex
const ONE_LINE = /^[^\x00-\x1f\x7f]*$/;

/** Return what is wrong with a value as a sentence; empty when nothing is. */
export function flawOf(field: Field, value: unknown): string {
  return isValid(field, value) ? "" : flawText(field);
}

/** Return the flaws of settings by name. */
export function flawsOf(settings: Settings): Record<string, string> {
  const flaws = FIELDS.map((field) => [field.name, flawOf(field, settings[field.name])] as const);
  return Object.fromEntries(flaws.filter(([, flaw]) => flaw));
}

export function fieldLabel({ name }: Pick<Field, "name">): string {
  return tokenText("field", name, name);
}

/** Return the hint of a field; empty for a field without one. */
export function fieldHint(field: Field): string {
  const limits: Record<string, number> = field.kind === "count" ? { least: field.least, most: field.most } : {};
  return tokenText("field_hint", field.name, "", limits);
}

/** Return the label of a value, or of a switch. A value without a label, such as a path, stands for itself. */
export function valueLabel({ name }: Pick<Field, "name">, value: string, { accountSource }: Settings): string {
  if (name === "autoActionMode") return modeLabel(accountSource, value);
  return tokenText("field_value", `${name}.${value}`, value);
}

/** Return the label of an automatic mode: one mode means other changes for API keys than for files. */
export function modeLabel(source: string, mode: string): string {
  return tokenText("mode", `${source}.${mode}`, mode);
}

function flawText(field: Field): string {
  const label = fieldLabel(field);
  if (field.kind === "text") return text("flaw.text", { field: label, most: field.maxLength });
  if (field.kind === "count") return text("flaw.count", { field: label, least: field.least, most: field.most });
  return text(`flaw.${field.kind}`, { field: label });
}

function isValid(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case "switch":
      return typeof value === "boolean";
    case "switches":
      return isSwitches(field, value);
    case "text":
      return typeof value === "string" && value.length <= field.maxLength && ONE_LINE.test(value);
    case "count":
      return Number.isInteger(value) && isWithin(value, field.least, field.most);
    case "share":
      return isWithin(value, 0, 1);
    default:
      return field.values.some((known) => known === value);
  }
}

function isSwitches({ parts }: SwitchesField, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const switches = new Map(Object.entries(value));
  return switches.size === parts.length && parts.every((part) => typeof switches.get(part) === "boolean");
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}
