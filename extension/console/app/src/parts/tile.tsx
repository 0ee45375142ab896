import type { ComponentChildren } from "preact";

export interface TileProps {
  label: string;
  value: ComponentChildren;
  note?: ComponentChildren;
  /** Address of what the figure counts. */
  href?: string;
  children?: ComponentChildren;
}

/** Figure with its name, a note below, and room for a sparkline. */
export function Tile({ label, value, note, href, children }: TileProps) {
  return (
    <div class="card tile">
      <p class="label">{href ? <a href={href}>{label}</a> : label}</p>
      <p class="figure">{value}</p>
      {note && <p class="caption">{note}</p>}
      {children}
    </div>
  );
}
