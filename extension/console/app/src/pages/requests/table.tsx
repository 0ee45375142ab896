import type { UsageView } from "../../connection/api.js";
import { LEAST } from "../../language/amounts.js";
import { text } from "../../language/catalogue.js";
import { formatCount } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { EmptyText } from "../../parts/empty_text.js";
import { DataTable } from "../../parts/table/data_table.js";
import { useServices } from "../../shell/services.js";
import { requestColumns } from "./columns.js";
import { NameMenus } from "./filters.js";
import { idOf, searched } from "./model.js";
import type { Names, Requests } from "./read_requests.js";

export interface RequestTableProps {
  requests: Requests;
  /** Requests that were read, and new ones. */
  rows: readonly UsageView[];
  names: Names | null;
  search: string;
  /** State of the stream; empty where new requests are not followed. */
  liveText: string;
  /** Reads as many as can be listed; null where all of them are. */
  more: (() => void) | null;
}

export function RequestTable({ requests, rows, names, search, liveText, more }: RequestTableProps) {
  const { router } = useServices();
  const { gaps } = requests.answer;
  const shown = searched(rows, search, names);
  const total = requests.series.totals.requests.reduce((sum, count) => sum + count, 0);
  const count = text("requests.shown", {
    shown: formatCount(shown.length),
    n: Math.max(total, rows.length),
    least: gaps.length ? LEAST : "",
  });
  const searchText = search && rows.length < total ? text("requests.searched", { n: rows.length }) : "";
  const gapText = gaps.length ? text("usage.gaps", { n: gaps.length }) : "";
  return (
    <>
      <div class="chips list-head">
        <p class="grow quiet" role="status">
          {[shown.length ? count : "", searchText, liveText, gapText].filter(Boolean).join(" · ")}
        </p>
        <NameMenus names={names} />
      </div>
      <DataTable
        label={text("pages.requests")}
        rows={shown}
        columns={requestColumns(names)}
        idOf={idOf}
        nameOf={({ model }) => model}
        onOpen={(row) => router.set({ request: idOf(row) }, { push: true })}
        isCurrent={(row) => idOf(row) === router.get("request")}
        empty={<EmptyText title={text(search ? "requests.not_found" : "requests.empty")} />}
      />
      {more && (
        <div class="padded">
          <Button onPress={more}>{text("requests.more")}</Button>
        </div>
      )}
      {!more && requests.answer.next && <p class="padded quiet">{text("requests.most", { n: rows.length })}</p>}
    </>
  );
}
