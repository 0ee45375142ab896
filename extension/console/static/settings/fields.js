/**
 * The settings of a run: how each is labelled, which values it takes, and what is said about it. Names and values are
 * the service's; defaults come from the service.
 *
 * @typedef {Object} Field
 * @property {string} name
 * @property {"choice" | "text" | "count" | "switch"} kind
 * @property {string} label
 * @property {string} [hint]
 * @property {[string, string][]} [values] choice: value and label
 * @property {string[]} [available] choice: the values a run honours today; absent: all of them
 * @property {number} [least] count
 * @property {number} [most] count
 * @property {boolean} [scope] set by the controls above the table, not by the settings form
 * @property {[string, string]} [needs] another setting and the value under which this one has an effect
 */

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
    name: "autoActionMode", kind: "choice", label: "Automatic actions",
    values: [
      ["none", "None: recommend only"], ["disable", "Disable"], ["delete", "Delete"],
      ["strategy4", "Strategy 4"], ["strategy5", "Strategy 5"], ["strategy6", "Strategy 6"],
    ],
    available: ["none"],
    hint: "Only “none” is available in this version: a run recommends, you decide.",
  },
  {
    name: "decisionPolicy", kind: "choice", label: "Decision policy",
    values: [["first_phase", "First phase"], ["configurable", "Configurable"]],
    hint: "First phase: every failure recommends disabling. Configurable: you choose for quota and 5xx.",
  },
  {
    name: "onQuota", kind: "choice", label: "On 402 and 429", needs: ["decisionPolicy", "configurable"],
    values: [["keep", "Keep"], ["disable", "Disable"]],
  },
  {
    name: "onServerError", kind: "choice", label: "On 5xx", needs: ["decisionPolicy", "configurable"],
    values: [["keep", "Keep"], ["disable", "Disable"]],
  },
  { name: "workers", kind: "count", label: "Workers", least: 1, most: 256, hint: "Most probes at once, 1 to 256." },
  {
    name: "timeoutSeconds", kind: "count", label: "Timeout, seconds", least: 1, most: 120,
    hint: "Per request, 1 to 120.",
  },
  { name: "retries", kind: "count", label: "Retries", least: 0, most: 5, hint: "After no answer, 0 to 5." },
  {
    name: "sampleSize", kind: "count", label: "Sample size", least: 0, most: 1_000_000,
    hint: "Probe only this many, chosen at random. 0: all.",
  },
  {
    name: "shortWindowPercent", kind: "count", label: "Short OAuth quota, %", least: 0, most: 100,
    needs: ["accountSource", "oauth"], hint: "From this use on, a window of up to a day counts as used up. 0: never.",
  },
  {
    name: "longWindowPercent", kind: "count", label: "Long OAuth quota, %", least: 0, most: 100,
    needs: ["accountSource", "oauth"], hint: "The same for longer windows, such as a week. 0: never.",
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
 * @param {unknown} value
 */
export function flawOf(field, value) {
  switch (field.kind) {
    case "switch":
      return typeof value === "boolean" ? "" : "must be on or off";
    case "text":
      return typeof value === "string" && /^[^\x00-\x1f\x7f]{0,200}$/.test(value)
        ? "" : "must be one line of at most 200 characters";
    case "count":
      return Number.isInteger(value) && value >= field.least && value <= field.most
        ? "" : `must be a whole number from ${field.least} to ${field.most}`;
    default:
      if (!field.values.some(([known]) => known === value)) return "is not one of the known values";
      return !field.available || field.available.includes(String(value)) ? "" : "is not available in this version";
  }
}
