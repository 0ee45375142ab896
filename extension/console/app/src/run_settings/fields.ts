/** Settings of a run with their groups and limits. Names, values and defaults are the service's. Pure. */

import {
  MODES_BY_SOURCE,
  SETTING_LIMITS as LIMITS,
  type InspectionSettings,
  type RealtimeAutoActions,
  type Source,
} from "../connection/api.js";
import { text, tokenText } from "../language/catalogue.js";

export type Settings = InspectionSettings;
export type SwitchPart = keyof RealtimeAutoActions;

/** Groups of the form in their order. */
export const GROUPS = ["actions", "breaker", "accounts", "checks", "recommendations", "concurrency"] as const;
export const SOURCES: readonly Source[] = ["api_key", "oauth"];

interface Facts {
  name: keyof Settings;
  group: (typeof GROUPS)[number];
  /** Whether the setting has an effect beside the others. */
  needs?: (settings: Settings) => boolean;
}
interface CountLimits {
  least: number;
  most: number;
}
export type SettingField = Facts &
  (
    | { kind: "text"; maxLength: number }
    | ({ kind: "count" } & CountLimits)
    /** From 0 to 1, written in percent. */
    | { kind: "share" }
    | { kind: "switch" }
    | { kind: "choice"; values: readonly string[] }
    | { kind: "switches"; parts: readonly SwitchPart[] }
  );

const isAutomatic = ({ autoActionMode }: Settings) => autoActionMode !== "none";
const isConfigurable = ({ decisionPolicy }: Settings) => decisionPolicy === "configurable";
const isOfFiles = ({ accountSource }: Settings) => accountSource === "oauth";
const isBraked = ({ brake }: Settings) => brake;

/** All settings but source, family, provider filter and mode, which a form asks for in words of its own. */
export const SETTING_FIELDS: readonly SettingField[] = [
  {
    name: "realtimeAutoActions",
    group: "actions",
    kind: "switches",
    ...LIMITS.realtimeAutoActions,
    needs: isAutomatic,
  },
  { name: "brake", group: "breaker", kind: "switch" },
  { name: "brakeShare", group: "breaker", kind: "share", needs: isBraked },
  { name: "brakeMinimum", group: "breaker", kind: "count", ...LIMITS.brakeMinimum, needs: isBraked },
  { name: "disableLimit", group: "breaker", kind: "share", needs: isBraked },
  { name: "disableMinimum", group: "breaker", kind: "count", ...LIMITS.disableMinimum, needs: isBraked },
  { name: "keepAtLeast", group: "breaker", kind: "count", ...LIMITS.keepAtLeast },
  { name: "sampleSize", group: "accounts", kind: "count", ...LIMITS.sampleSize },
  { name: "evidenceFirst", group: "accounts", kind: "switch" },
  { name: "familyDefaultAddress", group: "accounts", kind: "switch" },
  { name: "checkDepth", group: "checks", kind: "choice", ...LIMITS.checkDepth },
  { name: "probeModel", group: "checks", kind: "text", ...LIMITS.probeModel },
  { name: "probePromptMode", group: "checks", kind: "choice", ...LIMITS.probePromptMode },
  { name: "modelsPath", group: "checks", kind: "choice", ...LIMITS.modelsPath },
  { name: "evidenceChecks", group: "checks", kind: "switch" },
  { name: "timeoutSeconds", group: "checks", kind: "count", ...LIMITS.timeoutSeconds },
  { name: "retries", group: "checks", kind: "count", ...LIMITS.retries },
  { name: "previewCharacters", group: "checks", kind: "count", ...LIMITS.previewCharacters },
  { name: "decisionPolicy", group: "recommendations", kind: "choice", ...LIMITS.decisionPolicy },
  { name: "onQuota", group: "recommendations", kind: "choice", ...LIMITS.onQuota, needs: isConfigurable },
  { name: "onServerError", group: "recommendations", kind: "choice", ...LIMITS.onServerError, needs: isConfigurable },
  {
    name: "shortWindowPercent",
    group: "recommendations",
    kind: "count",
    ...LIMITS.shortWindowPercent,
    needs: isOfFiles,
  },
  { name: "longWindowPercent", group: "recommendations", kind: "count", ...LIMITS.longWindowPercent, needs: isOfFiles },
  { name: "workers", group: "concurrency", kind: "count", ...LIMITS.workers },
  { name: "hostLimit", group: "concurrency", kind: "count", ...LIMITS.hostLimit },
];

export function modesOf(source: Source): readonly Settings["autoActionMode"][] {
  return MODES_BY_SOURCE[source];
}

/** Return the label of a mode; the same mode means another change for API keys than for files. */
export function modeLabel(source: Source, mode: string): string {
  return tokenText("mode", `${source}.${mode}`, mode);
}

export function fieldLabel(name: string): string {
  return tokenText("field", name, name);
}

export function fieldHint(field: SettingField): string {
  const limits: Record<string, number> = field.kind === "count" ? { least: field.least, most: field.most } : {};
  return tokenText("field_hint", field.name, "", limits);
}

/** Return the label of a value of a choice, or of a switch; one without a label, such as a path, stands for itself. */
export function valueLabel(name: string, value: string): string {
  return tokenText("field_value", `${name}.${value}`, value);
}

/** Return what is wrong with a setting; empty where nothing is. Only numbers and texts can be typed wrong. */
function flawOf(field: SettingField, settings: Settings): string {
  const value = settings[field.name];
  const label = fieldLabel(field.name);
  if (field.kind === "count" && !(Number.isInteger(value) && isWithin(value, field.least, field.most))) {
    return text("flaw.count", { field: label, least: field.least, most: field.most });
  }
  if (field.kind === "share" && !isWithin(value, 0, 1)) return text("flaw.share", { field: label });
  return "";
}

/** Return the flaws of all settings by name. */
export function flawsOf(settings: Settings): Record<string, string> {
  const flaws = SETTING_FIELDS.map((field) => [field.name, flawOf(field, settings)] as const);
  return Object.fromEntries(flaws.filter(([, flaw]) => flaw));
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}
