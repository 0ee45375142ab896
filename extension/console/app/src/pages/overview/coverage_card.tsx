import type { OverviewAnswer } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { Card } from "../../parts/card.js";
import { Status, StatusDot } from "../../parts/status.js";
import type { ReadingView } from "../../shell/reading.js";
import { Ways } from "./attention_card.js";
import { blindOf, blindUsage } from "./model.js";
import { Part } from "./part.js";
import type { Traffic } from "./traffic.js";

/** Places that nothing is known of at the moment. */
export function CoverageCard(props: { pool: ReadingView<OverviewAnswer>; traffic: Traffic | null }) {
  const { traffic } = props;
  const ofUsage = traffic ? blindUsage(traffic.collection, traffic.summary.gaps) : [];
  return (
    <Card title={text("overview.coverage")}>
      <Part reading={props.pool}>
        {(pool) => {
          const places = [...blindOf(pool), ...ofUsage];
          if (!places.length) {
            return (
              <p class="padded">
                <Status tone="good">{text("overview.not_blind")}</Status>
              </p>
            );
          }
          return (
            <ul class="listing">
              {places.map(({ id, tone, name, words, ways }) => (
                <li key={id} class="entry">
                  <StatusDot tone={tone} />
                  <span class="grow">
                    {name && (
                      <>
                        <bdi>{name}</bdi>:{" "}
                      </>
                    )}
                    {words}
                  </span>
                  <Ways ways={ways} />
                </li>
              ))}
            </ul>
          );
        }}
      </Part>
    </Card>
  );
}
