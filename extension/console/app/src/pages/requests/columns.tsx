import type { UsageView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { formatCount, formatLatency, formatTime, UNKNOWN } from "../../language/formats.js";
import { Status } from "../../parts/status.js";
import type { Column } from "../../parts/table/columns.js";
import { toneOfFailure } from "../../usage/failures.js";
import { costText, nameIn, resultText, timeText } from "./model.js";
import type { Names } from "./read_requests.js";

/** Return the columns: the result takes the room that the others leave. */
export function requestColumns(names: Names | null): Column<UsageView>[] {
  const named = (id: "model" | "account" | "client", width: number, rank: number): Column<UsageView> => ({
    id,
    title: text(`requests_column.${id}`),
    width,
    rank,
    cell: (row) => (row[id] ? <bdi title={nameIn(names, id, row[id])}>{nameIn(names, id, row[id])}</bdi> : UNKNOWN),
  });
  const figure = (
    id: "tokens" | "latency" | "first",
    rank: number,
    value: (row: UsageView) => string,
  ): Column<UsageView> => ({
    id,
    title: text(`requests_column.${id}`),
    width: 92,
    rank,
    align: "end",
    cell: value,
  });
  return [
    { id: "time", title: text("requests_column.time"), width: 128, cell: timeCell },
    { id: "status", title: text("requests_column.status"), least: 210, cell: resultCell },
    named("model", 164, 6),
    named("account", 164, 5),
    named("client", 132, 4),
    figure("tokens", 3, ({ tokens }) => formatCount(tokens.total)),
    { id: "cost", title: text("requests_column.cost"), width: 90, rank: 7, align: "end", cell: costText },
    figure("latency", 2, ({ latencyMs }) => formatLatency(latencyMs)),
    figure("first", 1, ({ ttftMs }) => (ttftMs ? formatLatency(ttftMs) : UNKNOWN)),
  ];
}

function timeCell({ at }: UsageView) {
  return <span title={formatTime(at)}>{timeText(at, Date.now())}</span>;
}

function resultCell(row: UsageView) {
  return (
    <span class="named">
      <Status tone={row.failure ? toneOfFailure(row.failure) : "good"}>
        <bdi title={resultText(row)}>{resultText(row)}</bdi>
      </Status>
      <bdi class="quiet cut phone-only">{row.model}</bdi>
    </span>
  );
}
