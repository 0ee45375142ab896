import { Check, type IconNode } from "lucide";
import { useId, useRef } from "preact/hooks";
import { Icon } from "./icon.js";

export interface MenuItem {
  label: string;
  icon?: IconNode;
  /** Language of the label where it is not that of the page. */
  lang?: string;
  /** For a choice: whether it is the one in use. */
  isChecked?: boolean;
  isCurrent?: boolean;
  isDisabled?: boolean;
  act: () => unknown;
}

export interface MenuProps {
  label: string;
  icon?: IconNode;
  items: readonly MenuItem[];
  isLabelShown?: boolean;
}

const MARGIN = 4;

/** Button that opens a menu: arrow keys, Home, End, Enter, Escape. */
export function Menu({ label, icon, items, isLabelShown = false }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not(:disabled)") ?? [])];
  const steer = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    all.at(target % all.length)?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={isLabelShown ? "button ghost" : "button ghost square"}
        popovertarget={id}
        aria-haspopup="menu"
        aria-label={isLabelShown ? undefined : label}
        title={isLabelShown ? undefined : label}
      >
        {icon && <Icon of={icon} />}
        {isLabelShown && label}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        class="menu"
        onKeyDown={steer}
        onToggle={(event) => {
          if ((event as ToggleEvent).newState !== "open") return;
          place(event.currentTarget, button.current);
          entries()[0]?.focus();
        }}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role={item.isChecked === undefined ? "menuitem" : "menuitemradio"}
            aria-checked={item.isChecked}
            aria-current={item.isCurrent ? "page" : undefined}
            tabIndex={-1}
            lang={item.lang}
            disabled={item.isDisabled}
            onClick={() => {
              list.current?.hidePopover();
              item.act();
            }}
          >
            {item.icon && <Icon of={item.icon} />}
            <span class="grow">{item.label}</span>
            {item.isChecked && <Icon of={Check} />}
          </button>
        ))}
      </div>
    </>
  );
}

/** Put a menu below its button, or above it where there is no room, within the window. */
function place(menu: HTMLElement, button: HTMLElement | null): void {
  if (!button) return;
  const { top, bottom, left } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const isBelow = bottom + MARGIN + height <= window.innerHeight;
  menu.style.top = `${Math.max(isBelow ? bottom + MARGIN : top - MARGIN - height, MARGIN)}px`;
  menu.style.left = `${Math.max(Math.min(left, window.innerWidth - width - MARGIN), MARGIN)}px`;
}
