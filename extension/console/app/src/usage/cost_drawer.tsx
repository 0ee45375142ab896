import type { ExplanationAnswer } from "../connection/api.js";
import { text } from "../language/catalogue.js";
import { formatTime } from "../language/formats.js";
import { Content } from "../parts/content.js";
import { Drawer } from "../parts/drawer.js";
import { useReading } from "../shell/reading.js";
import { costOf, type Sum } from "./amounts.js";
import { costLinesOfPrice, priceNotes, priceTitle, unpricedTexts } from "./cost_parts.js";
import { CostTableView } from "./cost_table.js";

export interface CostDrawerProps {
  /** What the sum is of. */
  subject: string;
  sum: Sum;
  /** Whether records may be missing from the sum. */
  isPartial: boolean;
  /** Period and filters of the requests. */
  scope: Record<string, string | number>;
  onClose: () => void;
}

/** Why a sum of costs is what it is: each price with its requests, and those without a known cost. */
export function CostDrawer({ subject, sum, isPartial, scope, onClose }: CostDrawerProps) {
  const reading = useReading((client) => client.get("../usage/explanation", scope), {
    key: JSON.stringify(scope),
    on: ["price"],
  });
  return (
    <Drawer
      title={text("requests.why")}
      head={
        <p class="row">
          <bdi class="grow cut">{subject}</bdi>
          <b class="number">{costOf(sum, isPartial)}</b>
        </p>
      }
      onClose={onClose}
    >
      {isPartial && <p class="quiet">{text("usage.gap_in_sum")}</p>}
      <Content reading={reading}>
        {(explanation) => <Explanation explanation={explanation} start={Number(scope.start)} />}
      </Content>
    </Drawer>
  );
}

function Explanation({ explanation, start }: { explanation: ExplanationAnswer; start: number }) {
  const { prices, unpriced, leftOff, prunedBefore } = explanation;
  return (
    <>
      {prunedBefore > start && <p class="quiet">{text("usage.explained_from", { time: formatTime(prunedBefore) })}</p>}
      {prices.map((use, index) => (
        <details key={index} open={index === 0}>
          <summary>
            <bdi>{priceTitle(use)}</bdi>
          </summary>
          <CostTableView caption={priceTitle(use)} table={costLinesOfPrice(use)} />
          {priceNotes(use).map((note) => (
            <p key={note} class="quiet">
              {note}
            </p>
          ))}
        </details>
      ))}
      {leftOff > 0 && <p class="quiet">{text("usage.prices_left_off", { n: leftOff })}</p>}
      {unpricedTexts(unpriced).map(({ model, words }) => (
        <p key={model + words} class="quiet">
          <bdi>{model}</bdi>: {words}
        </p>
      ))}
    </>
  );
}
