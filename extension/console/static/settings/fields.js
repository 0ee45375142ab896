import { MODES_BY_SOURCE, SETTING_LIMITS } from "../_generated_constants.js";
import { text, tokenText } from "../language/catalogue.js";

/**
 * Run settings with their values. Names and values are the service's; defaults come from the service. Labels and hints
 * are in the catalogue, by these names.
 *
 * @typedef {import("../../_generated_types.js").InspectionSettings} Settings
 * @typedef {import("../../_generated_types.js").RealtimeAutoActions} Switches
 *
 * @typedef {"actions" | "breaker" | "checks" | "accounts" | "recommendations" | "concurrency"} Group
 * @typedef {object} FieldFacts
 * @property {keyof Settings} name
 * @property {Group} [group] of the settings form
 * @property {boolean} [scope] set by the controls above the table, not by the settings form
 * @property {(settings: Settings) => boolean} [needs] whether this setting has an effect beside the others
 *
 * @typedef {FieldFacts & {kind: "text", maxLength: number}} TextField
 * @typedef {FieldFacts & {kind: "count", least: number, most: number}} CountField
 * @typedef {FieldFacts & {kind: "share"}} ShareField a number from 0 to 1, written in percent
 * @typedef {FieldFacts & {kind: "switch"}} SwitchField
 *
 * @typedef {object} ChoiceFacts
 * @property {"choice"} kind
 * @property {readonly string[]} values
 * @property {(settings: Settings) => readonly string[]} [choices] the values that other settings allow
 * @typedef {FieldFacts & ChoiceFacts} ChoiceField
 *
 * @typedef {object} SwitchesFacts
 * @property {"switches"} kind
 * @property {readonly (keyof Switches)[]} parts
 * @property {(settings: Settings, part: keyof Switches) => boolean} [lets] whether other settings allow a switch
 * @typedef {FieldFacts & SwitchesFacts} SwitchesField an object of switches
 *
 * @typedef {TextField | CountField | ShareField | SwitchField | ChoiceField | SwitchesField} Field
 */

/** @param {Settings} settings */
const configurable = ({ decisionPolicy }) => decisionPolicy === "configurable";
/** @param {Settings} settings */
const ofFiles = ({ accountSource }) => accountSource === "oauth";
/** @param {Settings} settings */
const automatic = ({ autoActionMode }) => autoActionMode !== "none";
/** @param {Settings} settings */
const braked = ({ brake }) => brake;

const LIMITS = SETTING_LIMITS;

/**
 * Groups of the settings form, in their order.
 *
 * @type {readonly Group[]}
 */
export const GROUPS = ["actions", "breaker", "accounts", "checks", "recommendations", "concurrency"];

/** @type {Field[]} */
export const FIELDS = [
  { name: "accountSource", kind: "choice", scope: true, ...LIMITS.accountSource },
  { name: "targetType", kind: "text", ...LIMITS.targetType, scope: true },
  { name: "apiKeyFamily", kind: "text", ...LIMITS.targetType, scope: true },
  { name: "providerFilter", kind: "text", ...LIMITS.providerFilter, scope: true },
  { name: "probeModel", group: "checks", kind: "text", ...LIMITS.probeModel },
  { name: "probePromptMode", group: "checks", kind: "choice", ...LIMITS.probePromptMode },
  { name: "modelsPath", group: "checks", kind: "choice", ...LIMITS.modelsPath },
  {
    name: "autoActionMode", group: "actions", kind: "choice", ...LIMITS.autoActionMode,
    choices: ({ accountSource }) => MODES_BY_SOURCE[accountSource],
  },
  {
    name: "realtimeAutoActions", group: "actions", kind: "switches", ...LIMITS.realtimeAutoActions, needs: automatic,
    lets: ({ accountSource }, part) => part !== "delete" || accountSource === "oauth",
  },
  { name: "brake", group: "breaker", kind: "switch" },
  { name: "brakeShare", group: "breaker", kind: "share", needs: braked },
  { name: "brakeMinimum", group: "breaker", kind: "count", ...LIMITS.brakeMinimum, needs: braked },
  { name: "disableLimit", group: "breaker", kind: "share", needs: braked },
  { name: "disableMinimum", group: "breaker", kind: "count", ...LIMITS.disableMinimum, needs: braked },
  { name: "keepAtLeast", group: "breaker", kind: "count", ...LIMITS.keepAtLeast },
  { name: "decisionPolicy", group: "recommendations", kind: "choice", ...LIMITS.decisionPolicy },
  { name: "onQuota", group: "recommendations", kind: "choice", ...LIMITS.onQuota, needs: configurable },
  { name: "onServerError", group: "recommendations", kind: "choice", ...LIMITS.onServerError, needs: configurable },
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

// A single line contains no control characters.
// eslint-disable-next-line no-control-regex
const ONE_LINE = /^[^\x00-\x1f\x7f]*$/;

/**
 * Return the flaw of a value as a sentence; empty when it is valid.
 *
 * @param {Field} field
 * @param {unknown} value
 * @returns {string}
 */
export function flawOf(field, value) {
  return isValid(field, value) ? "" : flawText(field);
}

/** @param {{name: string}} field */
export function fieldLabel({ name }) {
  return tokenText("field", name, name);
}

/**
 * Return the hint of a field; empty for a field without one.
 *
 * @param {Field} field
 */
export function fieldHint(field) {
  /** @type {Record<string, number>} */
  const limits = field.kind === "count" ? { least: field.least, most: field.most } : {};
  return tokenText("field_hint", field.name, "", limits);
}

/**
 * Return the label of a value of a choice, or of a switch. A value without a label, such as a path, stands for itself.
 *
 * @param {ChoiceField | SwitchesField} field
 * @param {string} value
 */
export function valueLabel({ name }, value) {
  return tokenText("field_value", `${name}.${value}`, value);
}

/** @param {Field} field */
function flawText(field) {
  const label = fieldLabel(field);
  switch (field.kind) {
    case "text":
      return text("flaw.text", { field: label, most: field.maxLength });
    case "count":
      return text("flaw.count", { field: label, least: field.least, most: field.most });
    default:
      return text(`flaw.${field.kind}`, { field: label });
  }
}

/**
 * @param {Field} field
 * @param {unknown} value
 */
function isValid(field, value) {
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

/**
 * @param {SwitchesField} field
 * @param {unknown} value
 */
function isSwitches({ parts }, value) {
  if (typeof value !== "object" || value === null) return false;
  const switches = new Map(Object.entries(value));
  return switches.size === parts.length && parts.every((part) => typeof switches.get(part) === "boolean");
}

/**
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 */
function isWithin(value, least, most) {
  return typeof value === "number" && value >= least && value <= most;
}
