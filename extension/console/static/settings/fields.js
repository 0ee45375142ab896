import { SETTING_LIMITS } from "../_generated_constants.js";
import { modesOf } from "./modes.js";

/**
 * Run settings with their labels, values and hints. Names and values are the service's; defaults come from the service.
 *
 * @typedef {import("../../_generated_types.js").InspectionSettings} Settings
 * @typedef {import("../../_generated_types.js").RealtimeAutoActions} Switches
 * @typedef {[value: string, label: string]} Choice
 *
 * @typedef {object} FieldFacts
 * @property {keyof Settings} name
 * @property {string} label
 * @property {string} [hint]
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
 * @property {Choice[]} values
 * @property {(settings: Settings) => Choice[]} [choices] the values that other settings allow
 * @typedef {FieldFacts & ChoiceFacts} ChoiceField
 *
 * @typedef {object} SwitchesFacts
 * @property {"switches"} kind
 * @property {[name: keyof Switches, label: string][]} parts
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

/**
 * Label each value of a setting, in the service's order.
 *
 * @template {string} T
 * @param {{values: readonly T[]}} limits
 * @param {Record<T, string>} labels
 * @returns {Choice[]}
 */
function labelled({ values }, labels) {
  return values.map((value) => [value, labels[value]]);
}

const LIMITS = SETTING_LIMITS;
const KEEP_OR_DISABLE = { keep: "Keep", disable: "Disable" };

/** @type {Field[]} */
export const FIELDS = [
  {
    name: "accountSource", kind: "choice", label: "Source", scope: true,
    values: labelled(LIMITS.accountSource, { oauth: "OAuth files", api_key: "API keys" }),
  },
  { name: "targetType", kind: "text", label: "Family", ...LIMITS.targetType, scope: true },
  { name: "apiKeyFamily", kind: "text", label: "Family of API keys", ...LIMITS.targetType, scope: true },
  { name: "providerFilter", kind: "text", label: "Provider filter", ...LIMITS.providerFilter, scope: true },
  {
    name: "probeModel", kind: "text", label: "Probe model", ...LIMITS.probeModel,
    hint: "For chat and message probes. Empty: the first model of the entry, else the default of the family.",
  },
  {
    name: "probePromptMode", kind: "choice", label: "Prompt",
    values: labelled(LIMITS.probePromptMode, {
      fixed: "Fixed, one word", math: "A small sum", random: "Random, from a list",
    }),
    hint: "Content of chat and message probes.",
  },
  {
    name: "modelsPath", kind: "choice", label: "Models path",
    values: labelled(LIMITS.modelsPath, { auto: "Automatic", "/v1/models": "/v1/models", "/models": "/models" }),
    hint: "Path of the model list below the base URL.",
  },
  {
    name: "autoActionMode", kind: "choice", label: "Automatic actions", values: modesOf("oauth"),
    choices: ({ accountSource }) => modesOf(accountSource),
    hint: "None: the run only recommends. Otherwise it changes accounts on the gateway.",
  },
  {
    name: "realtimeAutoActions", kind: "switches", label: "Apply immediately", needs: automatic,
    parts: [["disable", "Disable"], ["enable", "Enable"], ["delete", "Delete"]],
    lets: ({ accountSource }, part) => part !== "delete" || accountSource === "oauth",
    hint: "Other automatic actions are applied at the end of the run. API keys are never deleted.",
  },
  {
    name: "brake", kind: "switch", label: "Circuit breaker",
    hint: "Puts disabling and deleting on hold while most checks of a host fail alike, whatever the failure.",
  },
  {
    name: "brakeShare", kind: "share", label: "Hold from, % of a host", needs: braked,
    hint: "Share of a host's checks that fail alike.",
  },
  {
    name: "brakeMinimum", kind: "count", label: "Hold after, checks", ...LIMITS.brakeMinimum, needs: braked,
    hint: "A failure waits until this many checks of its host are done, or the run ends.",
  },
  {
    name: "disableLimit", kind: "share", label: "Disable at most, % of the enabled", needs: braked,
    hint: "Share of the enabled accounts that one run may disable automatically; the rest is on hold.",
  },
  {
    name: "disableMinimum", kind: "count", label: "Disable at least up to, accounts", ...LIMITS.disableMinimum,
    needs: braked, hint: "One run may always disable this many accounts, also in a small pool.",
  },
  {
    name: "decisionPolicy", kind: "choice", label: "Decision policy",
    values: labelled(LIMITS.decisionPolicy, { first_phase: "Disable on any failure", configurable: "Custom" }),
    hint: "Custom: choose what follows from used-up quota and HTTP 5xx.",
  },
  {
    name: "onQuota", kind: "choice", label: "On HTTP 402 and 429", needs: configurable,
    values: labelled(LIMITS.onQuota, KEEP_OR_DISABLE),
  },
  {
    name: "onServerError", kind: "choice", label: "On HTTP 5xx", needs: configurable,
    values: labelled(LIMITS.onServerError, KEEP_OR_DISABLE),
  },
  {
    name: "workers", kind: "count", label: "Max concurrency", ...LIMITS.workers,
    hint: `Checks at the same time, ${LIMITS.workers.least} to ${LIMITS.workers.most}.`,
  },
  {
    name: "timeoutSeconds", kind: "count", label: "Timeout, seconds", ...LIMITS.timeoutSeconds,
    hint: `Per request, ${LIMITS.timeoutSeconds.least} to ${LIMITS.timeoutSeconds.most}.`,
  },
  {
    name: "hostLimit", kind: "count", label: "Max concurrency per host", ...LIMITS.hostLimit,
    hint: "0: no separate limit.",
  },
  {
    name: "retries", kind: "count", label: "Retries", ...LIMITS.retries,
    hint: `When no answer arrives, ${LIMITS.retries.least} to ${LIMITS.retries.most}.`,
  },
  {
    name: "sampleSize", kind: "count", label: "Sample size", ...LIMITS.sampleSize,
    hint: "Check only this many accounts, chosen at random. 0: all.",
  },
  {
    name: "evidenceFirst", kind: "switch", label: "Skip accounts with healthy traffic",
    hint: "Skips accounts whose recent requests succeeded.",
  },
  {
    name: "evidenceChecks", kind: "switch", label: "Evidence checks",
    hint: "Compares answers with those to a wrong key. Off: the HTTP status alone decides.",
  },
  {
    name: "checkDepth", kind: "choice", label: "Check depth",
    values: labelled(LIMITS.checkDepth, { connectivity: "Key accepted", usable: "Minimal chat (costs tokens)" }),
  },
  {
    name: "shortWindowPercent", kind: "count", label: "Short OAuth quota, %", ...LIMITS.shortWindowPercent,
    needs: ofFiles, hint: "Use at which a window of up to a day counts as used up. 0: never.",
  },
  {
    name: "longWindowPercent", kind: "count", label: "Long OAuth quota, %", ...LIMITS.longWindowPercent,
    needs: ofFiles, hint: "The same for longer windows, such as a week. 0: never.",
  },
  {
    name: "previewCharacters", kind: "count", label: "Preview, characters", ...LIMITS.previewCharacters,
    hint: "Stored length of a failed answer, with secrets removed.",
  },
  {
    name: "familyDefaultAddress", kind: "switch", label: "Use the vendor's public base URL",
    hint: "For vendor keys without a base URL. Off: these keys are skipped.",
  },
];

// A single line contains no control characters.
// eslint-disable-next-line no-control-regex
const ONE_LINE = /^[^\x00-\x1f\x7f]*$/;

/**
 * Return the flaw of a value; empty when it is valid.
 *
 * @param {Field} field
 * @param {unknown} value
 * @returns {string}
 */
export function flawOf(field, value) {
  switch (field.kind) {
    case "switch":
      return typeof value === "boolean" ? "" : "must be on or off";
    case "switches":
      return isSwitches(field, value) ? "" : "must be switches that are on or off";
    case "text":
      return typeof value === "string" && value.length <= field.maxLength && ONE_LINE.test(value)
        ? "" : `must be one line of at most ${field.maxLength} characters`;
    case "count":
      return Number.isInteger(value) && isWithin(value, field.least, field.most)
        ? "" : `must be a whole number from ${field.least} to ${field.most}`;
    case "share":
      return isWithin(value, 0, 1) ? "" : "must be a number from 0 to 100";
    default:
      return field.values.some(([known]) => known === value) ? "" : "is not one of the known values";
  }
}

/**
 * @param {SwitchesField} field
 * @param {unknown} value
 */
function isSwitches({ parts }, value) {
  if (typeof value !== "object" || value === null) return false;
  const switches = new Map(Object.entries(value));
  return switches.size === parts.length && parts.every(([part]) => typeof switches.get(part) === "boolean");
}

/**
 * @param {unknown} value
 * @param {number} least
 * @param {number} most
 */
function isWithin(value, least, most) {
  return typeof value === "number" && value >= least && value <= most;
}
