import type { FiguresView, SummaryAnswer } from "../../connection/api.js";
import { formatShort, formatUsd, LEAST } from "../../language/amounts.js";
import { text } from "../../language/catalogue.js";
import { formatCount } from "../../language/formats.js";
import { Content } from "../../parts/content.js";
import { DrawerPart } from "../../parts/drawer.js";
import { pageAddress } from "../../shell/pages.js";
import { useReading } from "../../shell/reading.js";
import type { Row } from "./rows.js";
import { Facts } from "../../parts/facts.js";

const MOST_GROUPS = 1_000;
const SEPARATOR = " · ";

/** Requests through an account in the last 24 hours. */
export function UsageView({ row }: { row: Row }) {
  const reading = useReading((client) => client.get("../usage/summary", { by: "account", limit: MOST_GROUPS }), {
    key: String(row.id),
  });
  return (
    <DrawerPart title={text("accounts.usage_day")}>
      <Content reading={reading}>
        {(answer) => {
          const group = usageOf(answer, row);
          if (!group) return <p class="quiet">{text("accounts.no_usage")}</p>;
          return (
            <>
              <Figures figures={group.figures} />
              <p>
                <a class="link" href={pageAddress("requests", { account: group.name })}>
                  {text("accounts.show_requests")}
                </a>
              </p>
            </>
          );
        }}
      </Content>
    </DrawerPart>
  );
}

/** Return the usage of an account: usage names accounts by display name, and by place where several share it. */
export function usageOf(
  { groups }: Pick<SummaryAnswer, "groups">,
  { name, place, keyHint }: Pick<Row, "name" | "place" | "keyHint">,
) {
  const placed = [place, keyHint].filter(Boolean).map((part) => name + SEPARATOR + part);
  return groups.find(({ label }) => placed.includes(label)) ?? groups.find(({ label }) => label === name);
}

function Figures({ figures }: { figures: FiguresView }) {
  const { requests, failed, tokens, usd, partial } = figures;
  return (
    <Facts
      rows={[
        [text("accounts.requests"), formatCount(requests)],
        [text("accounts.failed"), formatCount(failed)],
        [text("accounts.tokens"), formatShort(tokens.total)],
        [text("accounts.cost"), (partial ? LEAST : "") + formatUsd(usd)],
      ]}
    />
  );
}
