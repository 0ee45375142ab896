import { X } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { text } from "../language/catalogue.js";
import { Button } from "./button.js";

const NARROW = "(max-width: 760px)";

export interface DrawerProps {
  title: ComponentChildren;
  /** Lines below the title, such as a status or tabs. */
  head?: ComponentChildren;
  foot?: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * Panel over the right edge, which leaves the page beside it in use; over the whole of a phone. It is shown for as long
 * as it is drawn: whether it is open, and on what, stands in the address. Escape closes it. The keyboard goes into it,
 * and back to where it came from.
 */
export function Drawer({ title, head, foot, onClose, children }: DrawerProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    const panel = dialog.current;
    if (window.matchMedia(NARROW).matches) panel?.showModal();
    else panel?.show();
    return () => {
      const { activeElement } = document;
      const isBeside = activeElement !== document.body && !panel?.contains(activeElement);
      panel?.close();
      if (isBeside) return;
      const target = opener instanceof HTMLElement && opener.isConnected ? opener : document.getElementById("page");
      target?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="drawer"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <div class="row">
          <h2 id={id} class="grow">
            {title}
          </h2>
          <Button kind="ghost" icon={X} label={text("console.close")} onPress={onClose} />
        </div>
        {head}
      </header>
      <div class="content">{children}</div>
      {foot && <footer>{foot}</footer>}
    </dialog>
  );
}

/** Part of a drawer with a caption. */
export function DrawerPart({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
