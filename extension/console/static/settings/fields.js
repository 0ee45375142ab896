import { MODES } from "./modes.js";

/**
 * The settings of a run: how each is labelled, which values it takes, and what is said about it. Names and values are
 * the service's; defaults come from the service.
 *
 * @typedef {Object} Field
 * @property {string} name
 * @property {"choice" | "text" | "count" | "share" | "switch" | "switches"} kind a share is a number from 0 to 1,
 *     written in percent; switches are an object of them
 * @property {string} label
 * @property {string} [hint]
 * @property {[string, string][]} [values] choice: value and label
 * @property {(settings: any) => [string, string][]} [choices] choice: those of the values that other settings allow
 * @property {[string, string][]} [parts] switches: name and label
 * @property {(settings: any, part: string) => boolean} [lets] switches: whether other settings allow this one
 * @property {number} [least] count
 * @property {number} [most] count
 * @property {boolean} [scope] set by the controls above the table, not by the settings form
 * @property {(settings: any) => boolean} [needs] whether this setting has an effect beside the others
 */

const configurable = ({ decisionPolicy }) => decisionPolicy === "configurable";
const ofFiles = ({ accountSource }) => accountSource === "oauth";
const automatic = ({ autoActionMode }) => autoActionMode !== "none";
const braked = ({ brake }) => brake;

/** @type {Field[]} */
export const FIELDS = [
  {
    name: "accountSource", kind: "choice", label: "Source", scope: true,
    values: [["oauth", "OAuth files"], ["api_key", "API keys"]],
  },
  { name: "targetType", kind: "text", label: "Family", scope: true },
  { name: "apiKeyFamily", kind: "text", label: "Family of API keys", scope: true },
  { name: "providerFilter", kind: "text", label: "Provider filter", scope: true },
  {
    name: "probeModel", kind: "text", label: "Probe model",
    hint: "For chat and message probes. Empty: the entry's first model, else the family's default.",
  },
  {
    name: "probePromptMode", kind: "choice", label: "Prompt",
    values: [["fixed", "Fixed, one word"], ["math", "A small sum"], ["random", "Random, from a list"]],
    hint: "What a chat or message probe asks.",
  },
  {
    name: "modelsPath", kind: "choice", label: "Models path",
    values: [["auto", "Automatic"], ["/v1/models", "/v1/models"], ["/models", "/models"]],
    hint: "Where the list of models is asked for.",
  },
  {
    name: "autoActionMode", kind: "choice", label: "Automatic actions", values: MODES.oauth,
    choices: ({ accountSource }) => MODES[accountSource],
    hint: "None: a run recommends, you decide. Else the run writes to the gateway by itself.",
  },
  {
    name: "realtimeAutoActions", kind: "switches", label: "At once, after each probe", needs: automatic,
    parts: [["disable", "Disable"], ["enable", "Enable"], ["delete", "Delete"]],
    lets: ({ accountSource }, part) => part !== "delete" || accountSource === "oauth",
    hint: "The rest of the automatic actions waits for the end of the run. API keys are never deleted.",
  },
  {
    name: "brake", kind: "switch", label: "Brake",
    hint: "Holds disabling back where most of a host fails alike; 401 and 403 are never held.",
  },
  {
    name: "brakeShare", kind: "share", label: "Brake from, % of a host", needs: braked,
    hint: "Share of a host's probes that fail alike.",
  },
  {
    name: "brakeMinimum", kind: "count", label: "Brake after, probes", least: 0, most: 1_000_000, needs: braked,
    hint: "A failure waits until this many probes of its host are in, or the run ends.",
  },
  {
    name: "decisionPolicy", kind: "choice", label: "Decision policy",
    values: [["first_phase", "First phase"], ["configurable", "Configurable"]],
    hint: "First phase: every failure recommends disabling. Configurable: you choose for quota and 5xx.",
  },
  {
    name: "onQuota", kind: "choice", label: "On 402 and 429", needs: configurable,
    values: [["keep", "Keep"], ["disable", "Disable"]],
  },
  {
    name: "onServerError", kind: "choice", label: "On 5xx", needs: configurable,
    values: [["keep", "Keep"], ["disable", "Disable"]],
  },
  { name: "workers", kind: "count", label: "Workers", least: 1, most: 256, hint: "Most probes at once, 1 to 256." },
  {
    name: "timeoutSeconds", kind: "count", label: "Timeout, seconds", least: 1, most: 120,
    hint: "Per request, 1 to 120.",
  },
  {
    name: "hostLimit", kind: "count", label: "Probes at once per host", least: 0, most: 256,
    hint: "0: as many as there are workers.",
  },
  { name: "retries", kind: "count", label: "Retries", least: 0, most: 5, hint: "After no answer, 0 to 5." },
  {
    name: "sampleSize", kind: "count", label: "Sample size", least: 0, most: 1_000_000,
    hint: "Probe only this many, chosen at random. 0: all.",
  },
  {
    name: "evidenceFirst", kind: "switch", label: "Spare what works",
    hint: "Does not probe accounts whose own recent traffic went well.",
  },
  {
    name: "shortWindowPercent", kind: "count", label: "Short OAuth quota, %", least: 0, most: 100,
    needs: ofFiles, hint: "From this use on, a window of up to a day counts as used up. 0: never.",
  },
  {
    name: "longWindowPercent", kind: "count", label: "Long OAuth quota, %", least: 0, most: 100,
    needs: ofFiles, hint: "The same for longer windows, such as a week. 0: never.",
  },
  {
    name: "previewCharacters", kind: "count", label: "Preview, characters", least: 0, most: 4000,
    hint: "How much of a failed answer is kept, without secrets.",
  },
  {
    name: "familyDefaultAddress", kind: "switch", label: "Use the vendor's public address",
    hint: "For vendor keys without a base address. Off: they are not probed.",
  },
];

/**
 * What is wrong with a value, or an empty text.
 *
 * @param {Field} field
 * @param {any} value
 */
export function flawOf(field, value) {
  switch (field.kind) {
    case "switch":
      return typeof value === "boolean" ? "" : "must be on or off";
    case "switches":
      return value && field.parts.every(([part]) => typeof value[part] === "boolean")
        && Object.keys(value).length === field.parts.length ? "" : "must be switches that are on or off";
    case "text":
      return typeof value === "string" && /^[^\x00-\x1f\x7f]{0,200}$/.test(value)
        ? "" : "must be one line of at most 200 characters";
    case "count":
      return Number.isInteger(value) && value >= field.least && value <= field.most
        ? "" : `must be a whole number from ${field.least} to ${field.most}`;
    case "share":
      return Number.isFinite(value) && value >= 0 && value <= 1 ? "" : "must be a number from 0 to 100";
    default:
      return field.values.some(([known]) => known === value) ? "" : "is not one of the known values";
  }
}
