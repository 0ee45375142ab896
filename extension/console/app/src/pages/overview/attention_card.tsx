import { Clock, Info, Pause, ShieldCheck, User, X, type IconNode } from "lucide";
import { accountsAddress } from "../../accounts/address.js";
import type { OverviewAnswer } from "../../connection/api.js";
import { text } from "../../language/catalogue.js";
import { Card } from "../../parts/card.js";
import { Content } from "../../parts/content.js";
import { EmptyText } from "../../parts/empty_text.js";
import { Icon } from "../../parts/icon.js";
import { Badge } from "../../parts/status.js";
import type { ReadingView } from "../../shell/reading.js";
import { useServices } from "../../shell/services.js";
import { causesOf, type Cause, type Way } from "./attention.js";

const ICONS: Record<string, IconNode> = {
  disable: X,
  delete: X,
  enable: ShieldCheck,
  relogin: User,
  revoked: User,
  ending: Clock,
  on_hold: Pause,
};

/** What needs a person, by cause, each with the way to act. */
export function AttentionCard({ reading }: { reading: ReadingView<OverviewAnswer> }) {
  const { gateway } = useServices().info;
  const pool = reading.value.value;
  const causes = pool ? causesOf(pool, gateway.capabilities) : [];
  return (
    <Card
      title={text("overview.attention")}
      note={causes.length > 0 && <Badge tone="dead">{text("overview.topics", { n: causes.length })}</Badge>}
      controls={
        <a class="button ghost small" href={accountsAddress()}>
          {text("overview.all_accounts")}
        </a>
      }
    >
      <Content reading={reading}>
        {() =>
          causes.length ? (
            <ul class="listing">
              {causes.map((cause) => (
                <CauseRow key={cause.id} cause={cause} />
              ))}
            </ul>
          ) : (
            <EmptyText title={text("overview.nothing_needed")} />
          )
        }
      </Content>
    </Card>
  );
}

function CauseRow({ cause: { id, tone, title, hint, note, ways } }: { cause: Cause }) {
  return (
    <li class="cause">
      <span class="mark" data-tone={tone}>
        <Icon of={ICONS[id] ?? Info} size={15} />
      </span>
      <div class="grow">
        <p class="topic">{title}</p>
        {hint && (
          <p class="quiet cut" title={hint}>
            <bdi>{hint}</bdi>
          </p>
        )}
        {note && <p class="quiet">{note}</p>}
      </div>
      <Ways ways={ways} />
    </li>
  );
}

/** Links that look like what they are for: buttons to act. */
export function Ways({ ways }: { ways: readonly Way[] }) {
  return (
    <span class="row">
      {ways.map(({ label, href }) => (
        <a key={href} class="button small" href={href}>
          {label}
        </a>
      ))}
    </span>
  );
}
