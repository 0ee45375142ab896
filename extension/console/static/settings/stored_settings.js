import { fieldLabel, FIELDS, flawOf } from "./fields.js";
import { text as phrase } from "../language/catalogue.js";

/** The one key in local storage. It holds settings only: no credential, no result. */
export const STORAGE_KEY = "poolkeeper.inspection.settings";

/**
 * @import { Source } from "../../_generated_types.js"
 * @import { Field, Settings } from "./fields.js"
 */

/**
 * Parse stored settings, keeping the valid ones and naming the others.
 *
 * @param {string | null} text content of local storage
 * @param {Settings} defaults the service's
 * @param {string[]} families of API keys, as the service names them
 * @returns {{settings: Settings, ignored: string[]}} every setting of the defaults, and why parts were ignored
 */
export function parseStored(text, defaults, families) {
  if (text === null) return { settings: { ...defaults }, ignored: [] };
  const stored = parseObject(text);
  if (!stored) return { settings: { ...defaults }, ignored: [phrase("stored_settings.unreadable")] };
  const settings = { ...defaults };
  /** @type {string[]} */
  const ignored = [];
  for (const [name, value] of Object.entries(stored)) {
    const field = FIELDS.find((known) => known.name === name);
    if (!field || !(name in defaults)) {
      ignored.push(phrase("stored_settings.unknown", { name: shorten(name) }));
      continue;
    }
    const isUnknown = name === "apiKeyFamily" && !families.includes(String(value));
    const flaw = isUnknown ? phrase("flaw.family", { field: fieldLabel(field) }) : flawOf(field, value);
    if (flaw) ignored.push(flaw);
    else Object.assign(settings, { [name]: value });
  }
  for (const field of FIELDS.filter((each) => !isAllowed(each, settings))) {
    ignored.push(phrase("stored_settings.not_here", {
      field: fieldLabel(field), value: String(settings[field.name]),
    }));
    Object.assign(settings, { [field.name]: defaults[field.name] });
  }
  // Under API keys both names carry the family; the service refuses them when they differ.
  if (settings.accountSource === "api_key") settings.targetType = settings.apiKeyFamily;
  return { settings, ignored };
}

/**
 * Return the settings for another source: automatic actions off, family as last selected there.
 *
 * @param {Settings} settings
 * @param {Source} source
 * @returns {Settings}
 */
export function switchSource(settings, source) {
  const family = source === "api_key" ? settings.apiKeyFamily : "all";
  return { ...settings, accountSource: source, targetType: family, autoActionMode: "none" };
}

/**
 * Return the settings with another family, or another type of OAuth file.
 *
 * @param {Settings} settings
 * @param {string} family
 * @returns {Settings}
 */
export function chooseFamily(settings, family) {
  if (settings.accountSource !== "api_key") return { ...settings, targetType: family };
  return { ...settings, targetType: family, apiKeyFamily: family };
}

/**
 * Return whether the other settings allow the value of a choice.
 *
 * @param {Field} field
 * @param {Settings} settings
 */
function isAllowed(field, settings) {
  if (field.kind !== "choice" || !field.choices) return true;
  return field.choices(settings).some((known) => known === settings[field.name]);
}

/**
 * @param {string} text
 * @returns {Record<string, unknown> | null}
 */
function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** @param {string} name */
function shorten(name) {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}
