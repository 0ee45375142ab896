/** Rows in view of a long table that scrolls with the window. All rows have one height, so an index is a place. */

import { useEffect, useLayoutEffect, useState } from "preact/hooks";

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

export function useVirtualRows(count: number, body: { current: HTMLElement | null }): VirtualRows {
  const [first, setFirst] = useState(0);
  const [isPrinting, setPrinting] = useState(false);
  const height = window.matchMedia(PHONE).matches ? ROW_OF_PHONE : ROW;
  const top = () => body.current?.getBoundingClientRect().top ?? 0;
  const measure = () => setFirst(Math.max(0, Math.floor(-top() / height)));
  useLayoutEffect(measure);
  useEffect(() => {
    const ended = new AbortController();
    window.addEventListener("scroll", measure, { signal: ended.signal, passive: true });
    window.addEventListener("resize", measure, ended);
    window.addEventListener("beforeprint", () => setPrinting(true), ended);
    window.addEventListener("afterprint", () => setPrinting(false), ended);
    return () => ended.abort();
  }, [height]);
  const show = (index: number) => {
    const place = top() + index * height;
    if (place < 0) window.scrollBy(0, place);
    else window.scrollBy(0, Math.max(0, place + height - window.innerHeight));
    measure();
  };
  if (count <= WHOLE || isPrinting) return { start: 0, end: Math.min(count, PRINTED), above: 0, below: 0, show };
  const start = Math.max(0, Math.min(first, count) - OVERSCAN);
  const end = Math.min(count, first + Math.ceil(window.innerHeight / height) + OVERSCAN);
  return { start, end, above: start * height, below: (count - end) * height, show };
}
