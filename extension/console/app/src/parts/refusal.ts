/** Which field of a form a refused request is about. */

import { explained, isRefused } from "../connection/problem.js";

/** Words of a refusal by the name of its field; `""` holds what no field of the form is about. */
export type Refusal = Record<string, string>;

/** Return the words of a refusal for the names of a form; a field may lie below a name, such as `rates.input.amount`. */
export function refusalOf(problem: unknown, names: readonly string[]): Refusal {
  const { message, hint } = explained(problem);
  const field = isRefused(problem) ? problem.field : "";
  const name = names
    .filter((candidate) => field === candidate || field.startsWith(`${candidate}.`))
    .reduce((longest, candidate) => (candidate.length > longest.length ? candidate : longest), "");
  return { [name]: [message, hint].filter(Boolean).join(" ") };
}
