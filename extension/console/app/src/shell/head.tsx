import { Search } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.js";

/** Head of a page: its only `h1`, then tabs, search, and buttons with at most one primary one. */
export function Head({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="head">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </header>
  );
}

/** Search of a page; `/` puts the keyboard into it. `onSearch` is called as the text changes. */
export function HeadSearch(props: { label: string; value: string; onSearch: (words: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.defaultPrevented || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener("keydown", jump);
    return () => document.removeEventListener("keydown", jump);
  }, []);
  return (
    <search class="search">
      <Icon of={Search} />
      <input
        ref={field}
        type="search"
        maxLength={200}
        aria-label={props.label}
        placeholder={props.label}
        value={props.value}
        onInput={(event) => props.onSearch(event.currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </search>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, select, textarea, dialog") !== null;
}
