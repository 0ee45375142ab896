/** Rows in view of a long table that scrolls with the window, by TanStack Virtual. */

import { observeWindowOffset, observeWindowRect, Virtualizer, windowScroll } from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Height of a row, in the styles as well. */
const ROW = 36;
const ROW_OF_PHONE = 52;
const PHONE = "(max-width: 760px)";
/** Rows beyond both ends of the window. */
const OVERSCAN = 12;
/** Up to so many rows the table is whole. */
const WHOLE = 60;
/** Rows on paper: more would keep a browser busy for seconds. */
const PRINTED = 2_000;

export interface VirtualRows {
  /** Indexes of the first row drawn and of the row after the last one. */
  start: number;
  end: number;
  /** Room of the rows above and below, in pixels. */
  above: number;
  below: number;
  /** Scroll to a row and draw it. */
  show: (index: number) => void;
}

type WindowVirtualizer = Virtualizer<Window, HTMLElement>;

export function useVirtualRows(count: number, body: { current: HTMLElement | null }): VirtualRows {
  const [, draw] = useState(0);
  const [isPrinting, setPrinting] = useState(false);
  const virtualizer = useRef<WindowVirtualizer | null>(null);
  const height = window.matchMedia(PHONE).matches ? ROW_OF_PHONE : ROW;
  const options = {
    count,
    getScrollElement: () => window,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollMargin: topOf(body.current),
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    onChange: () => draw((number) => number + 1),
  };
  virtualizer.current ??= new Virtualizer<Window, HTMLElement>(options);
  virtualizer.current.setOptions(options);
  useLayoutEffect(() => virtualizer.current?._didMount(), []);
  useLayoutEffect(() => virtualizer.current?._willUpdate());
  useEffect(() => {
    const ended = new AbortController();
    window.addEventListener("beforeprint", () => setPrinting(true), ended);
    window.addEventListener("afterprint", () => setPrinting(false), ended);
    return () => ended.abort();
  }, []);
  const show = (index: number) => virtualizer.current?.scrollToIndex(index, { align: "auto" });
  if (count <= WHOLE || isPrinting) return { start: 0, end: Math.min(count, PRINTED), above: 0, below: 0, show };
  const items = virtualizer.current.getVirtualItems();
  const start = items[0]?.index ?? 0;
  const end = (items.at(-1)?.index ?? -1) + 1;
  return { start, end, above: start * height, below: (count - end) * height, show };
}

function topOf(body: HTMLElement | null): number {
  return body ? body.getBoundingClientRect().top + window.scrollY : 0;
}
