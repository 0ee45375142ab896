import { Download } from "lucide";
import type { Query } from "../connection/client.js";
import { follow, saveFile } from "../connection/save_file.js";
import { text } from "../language/catalogue.js";
import { useServices } from "../shell/services.js";
import { Menu } from "./menu.js";

/** Menu of the formats in which an answer of the API is saved as a file. */
export function DownloadMenu(props: {
  path: string;
  query: Query;
  formats: readonly { format: string; label: string }[];
}) {
  const { client, notices } = useServices();
  const items = props.formats.map(({ format, label }) => {
    const query = { ...props.query, format };
    const read = () => notices.attempt("export", async () => saveFile(await client.file(props.path, query)));
    // A link carries no key: where each request needs it, the answer is read and saved.
    return { label, act: () => (client.isKeyed ? read() : follow(client.address(props.path, query).href, "")) };
  });
  return <Menu label={text("console.export")} icon={Download} items={items} />;
}
