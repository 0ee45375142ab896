const RELEASED_MS = 60_000;
/** Beginnings of texts that a spreadsheet takes for formulas. */
const STEERING = /^[=+\-@\t\r]/;

/** Save a content as a file of the browser. */
export function saveFile({ name, content }: { name: string; content: Blob }): void {
  const address = URL.createObjectURL(content);
  follow(address, name);
  setTimeout(() => URL.revokeObjectURL(address), RELEASED_MS);
}

/** Download an address; without a name it has the one that the service gives. */
export function follow(href: string, download: string): void {
  const link = document.createElement("a");
  Object.assign(link, { href, download }).click();
}

/** Write rows as CSV; a text that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = STEERING.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
