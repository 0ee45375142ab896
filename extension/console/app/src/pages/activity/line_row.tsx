import { ChevronDown, ChevronUp, Undo2, User, Zap } from "lucide";
import { takeBack } from "../../actions/reversal.js";
import type { ActionView } from "../../connection/api.js";
import { text, tokenText } from "../../language/catalogue.js";
import { formatActor, formatClock, formatTime } from "../../language/formats.js";
import { Button } from "../../parts/button.js";
import { Icon } from "../../parts/icon.js";
import { Badge, StatusDot } from "../../parts/status.js";
import { pageAddress } from "../../shell/pages.js";
import { useServices } from "../../shell/services.js";
import { nameOf, namesOf, outcomeText, sourceOf, titleOf, toneOf, type Line } from "./model.js";

/** Actions drawn of one command; the file of all has the others. */
const SHOWN = 200;

export function LineRow({ line, isOpen, onToggle }: { line: Line; isOpen: boolean; onToggle: () => void }) {
  const { actor, at, cause, run, isAutomatic, failed, undone } = line;
  const title = titleOf(line);
  const tone = cause === "undo" ? "unknown" : isAutomatic ? "you" : "provider";
  return (
    <li class="line">
      <span class="quiet number" title={formatTime(at)}>
        {formatClock(at)}
      </span>
      <span class="mark" data-tone={tone}>
        <Icon of={cause === "undo" ? Undo2 : isAutomatic ? Zap : User} size={14} />
      </span>
      <div class="grow">
        <p class="row">
          <b>{title}</b>
          <Badge tone="unknown">{tokenText("cause", cause)}</Badge>
          {run !== null && (
            <a class="badge" data-tone="unknown" href={pageAddress("runs", { run })}>
              {text("schedule.run", { run: String(run) })}
            </a>
          )}
        </p>
        <p class="quiet cut">
          <bdi>{namesOf(line)}</bdi> · {formatActor(actor)}
          {failed > 0 && <span class="problem"> · {text("activity.failed", { n: failed })}</span>}
        </p>
      </div>
      {undone > 0 && <span class="quiet">{text("activity.undone", { n: undone })}</span>}
      <UndoButton line={line} title={title} />
      <Button
        size="small"
        kind="ghost"
        icon={isOpen ? ChevronUp : ChevronDown}
        label={text(isOpen ? "activity.close" : "activity.open", { name: title })}
        onPress={onToggle}
      />
      {isOpen && <ActionRows line={line} />}
    </li>
  );
}

/** Takes back all of a command that can be: one press. */
function UndoButton({ line, title }: { line: Line; title: string }) {
  const services = useServices();
  const { batch, undoable, restorable } = line;
  const n = undoable.length + restorable.length;
  if (!n) return null;
  const chosen = batch === null ? { actions: undoable.map(({ id }) => id) } : undoable.length ? { batch } : {};
  const words = text(undoable.length ? "activity.undo_n" : "activity.restore_n", { n });
  return (
    <Button
      size="small"
      icon={Undo2}
      label={`${words}: ${title}`}
      onPress={() => takeBack(services, { ...chosen, accounts: restorable, n })}
    >
      {words}
    </Button>
  );
}

function ActionRows({ line }: { line: Line }) {
  const { actions } = line;
  return (
    <ul class="actions" aria-label={titleOf(line)}>
      {actions.slice(0, SHOWN).map((action) => (
        <ActionRow key={action.id} action={action} line={line} />
      ))}
      {actions.length > SHOWN && <li class="quiet">{text("count.more", { n: actions.length - SHOWN })}</li>}
    </ul>
  );
}

function ActionRow({ action, line }: { action: ActionView; line: Line }) {
  const services = useServices();
  const { id, account, displayName, keyHint, place } = action;
  const source = action.action === "delete" ? null : sourceOf(action);
  const name = <bdi>{displayName || `#${account}`}</bdi>;
  const isUndoable = line.undoable.some((each) => each.id === id);
  const isRestorable = action.action === "delete" && line.restorable.includes(account);
  return (
    <li>
      <StatusDot tone={toneOf(action)} />
      {source ? (
        <a class="link cut" href={pageAddress("inspection", { source, account })} title={place}>
          {name}
        </a>
      ) : (
        <span class="cut" title={place}>
          {name}
        </span>
      )}
      <span class="mono quiet cut">{keyHint}</span>
      <span>{tokenText("action", action.action)}</span>
      <span class="grow">{outcomeText(action)}</span>
      {(isUndoable || isRestorable) && (
        <Button
          size="small"
          kind="ghost"
          label={text(isUndoable ? "activity.undo_of" : "activity.restore_of", { name: nameOf(action) })}
          onPress={() => takeBack(services, isUndoable ? { actions: [id], n: 1 } : { accounts: [account], n: 1 })}
        >
          {text(isUndoable ? "activity.undo" : "activity.restore")}
        </Button>
      )}
    </li>
  );
}
