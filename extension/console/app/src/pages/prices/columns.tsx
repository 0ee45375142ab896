import { text, tokenText } from "../../language/catalogue.js";
import { formatDay, UNKNOWN } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import type { Column } from "../../parts/table/columns.js";
import { amountOf, rateText, tiersText, UNITS, type PriceRow } from "./model.js";

type Unit = (typeof UNITS)[number];

/** Rank of a unit: the lowest gives way first where room is short. */
const RANKS: Record<Unit, number | undefined> = {
  reasoning: 1,
  cache_write_5m: 2,
  cache_read: 4,
  input: undefined,
  output: undefined,
};

/** Return the columns: the model takes the room that the numbers leave. */
export function priceColumns(open: (row: PriceRow) => void): Column<PriceRow>[] {
  return [
    { id: "model", title: text("prices.model"), least: 150, sortBy: ({ model }) => model, cell: modelCell },
    ...UNITS.map(unitColumn),
    {
      id: "from",
      title: text("prices.valid_from"),
      width: 124,
      rank: 3,
      cell: ({ kind, validFrom }) => (kind === "unpriced" ? UNKNOWN : dayText(validFrom)),
    },
    {
      id: "source",
      title: text("prices.source"),
      width: 136,
      rank: 5,
      sortBy: ({ kind }) => kind,
      cell: (row) => <SourceCell row={row} open={open} />,
    },
  ];
}

function unitColumn(unit: Unit): Column<PriceRow> {
  return {
    id: unit,
    title: tokenText("unit", unit),
    width: unit === "cache_write_5m" ? 140 : 92,
    rank: RANKS[unit],
    align: "end",
    sortBy: (row) => amountOf(row, unit),
    cell: ({ rates: { [unit]: rate } }) => (
      <span title={rate ? tiersText(rate) : undefined}>
        {rateText(rate)}
        {rate?.above.length ? "+" : ""}
      </span>
    ),
  };
}

function modelCell({ model, provider, serviceTier }: PriceRow) {
  const details = [provider, serviceTier === "standard" ? "" : serviceTier].filter(Boolean).join(" · ");
  return (
    <span class="named">
      <b title={model}>
        <bdi>{model}</bdi>
      </b>
      {details && <bdi class="quiet cut">{details}</bdi>}
    </span>
  );
}

function SourceCell({ row, open }: { row: PriceRow; open: (row: PriceRow) => void }) {
  if (row.kind !== "unpriced") return <>{row.source && tokenText("price_source", row.source)}</>;
  const label = `${text("prices.set")} ${row.model}`;
  return (
    <Button size="small" tone="you" label={label} onPress={() => open(row)}>
      {text("prices.set")}
    </Button>
  );
}

function dayText(day: string | null): string {
  return day ? formatDay(day) : text("prices.always");
}
