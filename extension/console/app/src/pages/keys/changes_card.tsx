import { Undo2 } from "lucide";
import { OUTCOMES, type AliasView, type ClientKeysAnswer, type KeyActionView } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { formatActor, formatTime } from "../../language/formats.js";
import { reasonsText } from "../../language/reasons.js";
import { Button } from "../../parts/button.js";
import { Card } from "../../parts/card.js";
import { StatusDot } from "../../parts/status.js";
import type { Tone } from "../../parts/tone.js";
import { useServices, type Services } from "../../shell/services.js";

const SHOWN = 20;
const TONES: Record<string, Tone> = { good: "good", bad: "dead", neutral: "unknown" };

/** Take back the last action on a key. */
export function undoKeyAction({ client, notices }: Pick<Services, "client" | "notices">, action: number) {
  return notices.attempt("keys", () => client.post("config/client-keys/undo", { action }));
}

/** What was done with client keys, each with its undo. */
export function ChangesCard(props: { clientKeys: ClientKeysAnswer; aliases: readonly AliasView[] }) {
  const { actions, undoable } = props.clientKeys;
  const names = new Map(props.aliases.map(({ fingerprint, alias }) => [fingerprint, alias]));
  if (!actions.length) return null;
  return (
    <Card title={text("keys.changes")}>
      <ul class="listing">
        {actions.slice(0, SHOWN).map((action) => (
          <ChangeRow
            key={action.id}
            action={action}
            name={names.get(action.fingerprint) ?? action.hint}
            isUndoable={undoable.includes(action.id)}
          />
        ))}
      </ul>
    </Card>
  );
}

function ChangeRow({ action, name, isUndoable }: { action: KeyActionView; name: string; isUndoable: boolean }) {
  const services = useServices();
  const { id, outcome, actor, at, reasons, reason, texts, text: said } = action;
  const isGood = outcome === "applied" || outcome === "unchanged";
  const words = isGood ? reasonsText(reasons, reason) : reasonsText(texts, said);
  return (
    <li class="line">
      <StatusDot tone={TONES[OUTCOMES[outcome]] ?? "unknown"} />
      <p class="grow cut" title={formatTime(at)}>
        <b>
          <bdi>{name}</bdi>
        </b>{" "}
        {tokenText("key_action", action.action)}
        {!isGood && ` (${tokenText("outcome", outcome)})`}
        <span class="quiet">
          {" "}
          · {formatTime(at)} · {formatActor(actor)}
          {words && ` · ${words}`}
        </span>
      </p>
      {isUndoable && (
        <Button
          size="small"
          icon={Undo2}
          label={`${text("keys.take_back")}: ${name} ${tokenText("key_action", action.action)}`}
          onPress={() => undoKeyAction(services, id)}
        >
          {text("keys.take_back")}
        </Button>
      )}
    </li>
  );
}
