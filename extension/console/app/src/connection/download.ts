const KEPT_MS = 60_000;

/** Save a file of the browser's memory: a plain link carries no key, which each request of a plugin needs. */
export function save({ name, content }: { name: string; content: Blob }): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
