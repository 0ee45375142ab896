const RELEASED_MS = 60_000;
/** Beginnings of texts that a spreadsheet takes for formulas. */
const STEERING = /^[=+\-@\t\r]/;

/** Save a content as a file of the browser. */
export function saveFile({ name, content }: { name: string; content: Blob }): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASED_MS);
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
