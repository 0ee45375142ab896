import type { Signal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { text } from "../../language/catalogue.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { useServices } from "../../shell/services.js";
import type { AccountsModel } from "./accounts_model.js";
import { assign } from "../../parts/assign.js";

/** Keys, each with the name of its text; those of rows and the search are heard by table and head. */
const KEYS = [
  ["j", "down"],
  ["k", "up"],
  ["x", "select"],
  ["Shift+x", "range"],
  ["d", "disable"],
  ["e", "enable"],
  ["u", "undo"],
  ["/", "search"],
  ["Enter", "open"],
  ["Escape", "leave"],
  ["?", "help"],
] as const;

/** Let single keys act on the list, unless something is typed or asked. */
export function useKeys(model: AccountsModel, isHelpOpen: Signal<boolean>): void {
  const { notices } = useServices();
  useEffect(() => {
    const change = (isEnabling: boolean) => {
      const row = document.activeElement?.closest<HTMLElement>("tr[data-id]");
      const selected = [...model.selection.peek()].map(Number);
      const ids = selected.length || !row ? selected : [Number(row.dataset.id)];
      const accounts = model.accountsOf(ids);
      if (!accounts.length) notices.show("keys", { text: text("keys.no_row"), isToast: true });
      else
        void model.change([{ verb: isEnabling ? "enable" : "disable", accounts }], {
          isSelection: selected.length > 0,
        });
    };
    const acts: Record<string, () => void> = {
      j: focusFirst,
      k: focusFirst,
      d: () => change(false),
      e: () => change(true),
      u: () => void model.changes.undoLast(),
      "?": () => assign(isHelpOpen, true),
    };
    const hear = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (document.querySelector("dialog:modal") || !Object.hasOwn(acts, event.key)) return;
      event.preventDefault();
      acts[event.key]();
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, [model]);
}

export function KeyHelp({ isOpen }: { isOpen: Signal<boolean> }) {
  if (!isOpen.value) return null;
  const close = () => {
    isOpen.value = false;
  };
  return (
    <Dialog
      title={text("keys.heading")}
      onClose={close}
      foot={
        <Button kind="primary" onPress={close}>
          {text("keys.close")}
        </Button>
      }
    >
      <dl class="facts keys">
        {KEYS.map(([key, name]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text(`keys.${name}`)}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}

function focusFirst(): void {
  document.querySelector<HTMLElement>("#page tr[data-id]")?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("textarea, select, input:not([type=checkbox], [type=radio])");
}
