import { useSignal } from "@preact/signals";
import { text } from "../../language/catalogue.js";
import { formatPercent } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Card } from "../../parts/card.js";
import { pageAddress } from "../../shell/pages.js";
import { useServices } from "../../shell/services.js";
import { filterOf, selectionOf } from "../../usage/selection.js";
import type { ChartCardProps } from "./chart_card.js";
import { isLowerBound, rankNote, ranksOf, type Rank } from "./model.js";
import { assign } from "../../parts/assign.js";

/** Groups shown at once. */
const MOST_SHOWN = 7;

/** Names of the dimension, the largest first, each with its share and the way to its requests. */
export function RankCard({ explainHref, ...props }: ChartCardProps & { explainHref: (name: string) => string }) {
  const { usage, measure } = props;
  const isWhole = useSignal(false);
  const ranks = usage.by === "none" ? [] : ranksOf(usage, measure);
  const shown = isWhole.value ? ranks : ranks.slice(0, MOST_SHOWN);
  return (
    <Card title={text(`usage_rank.${measure}`)}>
      <ol class="listing">
        {shown.map((rank) => (
          <RankRow key={rank.name} {...props} rank={rank} explainHref={explainHref(rank.name)} />
        ))}
      </ol>
      {!ranks.length && <p class="padded quiet">{text("usage.no_dimension")}</p>}
      {shown.length < ranks.length && (
        <div class="padded">
          <Button size="small" onPress={() => assign(isWhole, true)}>
            {text("usage.all_names", { n: ranks.length })}
          </Button>
        </div>
      )}
      {usage.summary.leftOff > 0 && isWhole.value && (
        <p class="padded quiet">{text("usage.left_off", { n: usage.summary.leftOff })}</p>
      )}
    </Card>
  );
}

function RankRow({
  usage,
  measure,
  shown,
  colors,
  rank,
  explainHref,
}: ChartCardProps & { rank: Rank; explainHref: string }) {
  const { router } = useServices();
  const { name, label, value, share, length } = rank;
  const color = `var(--${colors[name] ?? "unknown"})`;
  const selection = selectionOf((key) => router.get(key));
  return (
    <li class="rank">
      <span class="row">
        <span class="swatch" style={{ background: color }} />
        <a class="grow cut" href={pageAddress("requests", { ...selection, ...filterOf(usage.by, name) })}>
          <bdi title={shown(name, label)}>{shown(name, label)}</bdi>
        </a>
        {measure === "usd" ? (
          <a
            class="number"
            href={explainHref}
            aria-label={text("requests.why_of", { cost: value })}
            title={text("requests.why")}
          >
            <b>{value}</b>
          </a>
        ) : (
          <b class="number">{value}</b>
        )}
        <span class="quiet number">{share === null ? "" : formatPercent(Math.round(share))}</span>
      </span>
      <span class="meter">
        <span style={{ width: `${length}%`, background: color }} />
      </span>
      <small class="quiet number">{rankNote(rank, isLowerBound(usage))}</small>
    </li>
  );
}
