/** Fields of a configuration entry as a form, a line a model or header. Pure. */

import type { EntryFieldsView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";

export const NAMES = ["baseUrl", "priority", "prefix", "models", "headers"] as const;
export type EntryForm = Record<(typeof NAMES)[number], string>;
export type EntryProblems = Partial<EntryForm>;

const ARROW = /\s*(?:→|->|=>)\s*/;

export function formOf({ baseUrl, priority, prefix, models, headers }: EntryFieldsView): EntryForm {
  return {
    baseUrl,
    priority: String(priority),
    prefix,
    models: models.map(({ name, alias }) => (alias && alias !== name ? `${name} → ${alias}` : name)).join("\n"),
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n"),
  };
}

/** Return the fields of a form as a request has them, or what is wrong with it; `shown` are the fields as answered. */
export function fieldsOf(form: EntryForm, shown: EntryFieldsView): EntryFieldsView | { problems: EntryProblems } {
  const problems: EntryProblems = {};
  const priority = Number(form.priority.trim() || "0");
  if (!Number.isSafeInteger(priority)) problems.priority = text("entry.bad_priority");
  const models = linesOf(form.models).map((line) => {
    const [name, alias = "", ...rest] = line.split(ARROW);
    if (!name || rest.length) problems.models = text("entry.bad_model", { line });
    // An alias that is the name is not written in the form.
    const isShown = !alias && shown.models.some((model) => model.name === name && model.alias === name);
    return { name, alias: isShown ? name : alias };
  });
  const headers = linesOf(form.headers).map((line) => {
    const at = line.indexOf(":");
    const [name, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    if (at < 1 || !value) problems.headers = text("entry.bad_header", { line });
    return [name, value] as const;
  });
  if (Object.keys(problems).length) return { problems };
  const { baseUrl, prefix } = form;
  return { baseUrl: baseUrl.trim(), priority, prefix: prefix.trim(), models, headers: Object.fromEntries(headers) };
}

function linesOf(written: string): string[] {
  return written
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
