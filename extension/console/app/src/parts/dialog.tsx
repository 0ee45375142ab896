import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

/** Question over the page. It is shown for as long as it is drawn; Escape calls `onClose`. */
export function Dialog(props: {
  title: string;
  foot: ComponentChildren;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    const node = dialog.current;
    return () => {
      node?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      <h2 id={id}>{props.title}</h2>
      <div class="content">{props.children}</div>
      <footer>{props.foot}</footer>
    </dialog>
  );
}
