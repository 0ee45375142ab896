import { Download } from "lucide";
import type { Query } from "../connection/client.js";
import { text } from "../language/catalogue.js";
import { useServices } from "../shell/services.js";
import { Menu } from "./menu.js";

const STORED_MS = 60_000;

/** Menu of the formats in which an answer of the API is saved as a file. */
export function DownloadMenu(props: {
  path: string;
  query: Query;
  formats: readonly { format: string; label: string }[];
}) {
  const { client, notices } = useServices();
  const items = props.formats.map(({ format, label }) => {
    const query = { ...props.query, format };
    const read = () => notices.attempt("export", async () => save(await client.file(props.path, query)));
    // A link carries no key: where each request needs it, the answer is read and saved.
    return { label, act: () => (client.isKeyed ? read() : follow(client.address(props.path, query).href, "")) };
  });
  return <Menu label={text("console.export")} icon={Download} items={items} />;
}

function save({ name, content }: { name: string; content: Blob }): void {
  const address = URL.createObjectURL(content);
  follow(address, name);
  setTimeout(() => URL.revokeObjectURL(address), STORED_MS);
}

function follow(href: string, name: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}
