import type { FailingAccountView } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { clipped } from "../../language/formats.js";
import { Card } from "../../parts/card.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Badge } from "../../parts/status.js";
import type { Column } from "../../parts/table/columns.js";
import { DataTable } from "../../parts/table/data_table.js";
import { pageAddress } from "../../shell/pages.js";
import { useServices } from "../../shell/services.js";
import { leastCount } from "../../usage/amounts.js";
import { toneOfFailure } from "../../usage/failures.js";
import { selectionOf } from "../../usage/selection.js";
import { failedText, isLowerBound } from "./model.js";
import type { Usage } from "./read_usage.js";

/** Accounts with the most failed requests, and why they failed. */
export function FailureCard({ usage }: { usage: Usage }) {
  const { router } = useServices();
  const isLeast = isLowerBound(usage);
  const selection = selectionOf((name) => router.get(name));
  const requestsOf = ({ name }: FailingAccountView, filter: Record<string, string>) =>
    pageAddress("requests", { ...selection, account: name, ...filter });
  const nameOf = ({ name, label }: FailingAccountView) => label || name || text("usage.no_name");
  const columns: Column<FailingAccountView>[] = [
    {
      id: "account",
      title: text("usage_by.account"),
      width: 220,
      cell: (row) => (
        <a href={requestsOf(row, { failed: "true" })}>
          <bdi title={nameOf(row)}>{nameOf(row)}</bdi>
        </a>
      ),
    },
    {
      id: "requests",
      title: text("usage.requests"),
      width: 100,
      rank: 1,
      align: "end",
      cell: ({ requests }) => leastCount(requests, isLeast),
    },
    {
      id: "failed",
      title: text("usage.failed"),
      width: 130,
      rank: 2,
      align: "end",
      cell: (row) => failedText(row, isLeast),
    },
    {
      id: "why",
      title: text("usage.reasons"),
      cell: (row) => (
        <span class="row badges">
          {row.reasons.map(({ failure, requests }) => (
            <a key={failure} href={requestsOf(row, { failure })}>
              <Badge tone={toneOfFailure(failure)}>
                <bdi>{clipped(failure, 40)}</bdi> · {leastCount(requests, isLeast)}
              </Badge>
            </a>
          ))}
        </span>
      ),
    },
  ];
  return (
    <Card title={text("usage.failing")}>
      <DataTable
        label={text("usage.failing")}
        rows={usage.failures.accounts}
        columns={columns}
        idOf={({ name }) => name}
        nameOf={nameOf}
        empty={<EmptyText title={text("usage.no_failures")} />}
      />
    </Card>
  );
}
