import { clipped } from "../language/formats.js";

/** Account as it is named: several keys may share a display name. */
export interface NamedAccount {
  id: number;
  displayName: string;
  fileName?: string;
  keyHint?: string;
  place?: string;
}

/** Return the name of an account as one text, for labels. */
export function accountName({ id, displayName, fileName = "", keyHint = "" }: NamedAccount): string {
  const [name, file] = [clipped(displayName), clipped(fileName)];
  if (file) return file === name ? file : `${name}, ${file}`;
  return keyHint ? `${name} #${id} (${keyHint})` : `${name} #${id}`;
}

/** Name of an account; each part from outside is isolated, so that its direction leaves the rest alone. */
export function AccountName({ id, displayName, fileName = "", keyHint = "", place = "" }: NamedAccount) {
  const [name, file, short] = [displayName, fileName, place].map((part) => clipped(part));
  const isNamedByPlace = !short || [name, file, keyHint].some((part) => part.includes(short));
  return (
    <>
      <bdi>{name}</bdi>
      {!file && ` #${id}`}
      {!file && keyHint && <span class="unbroken"> ({keyHint})</span>}
      {file && file !== name && (
        <>
          , <bdi>{file}</bdi>
        </>
      )}
      {!isNamedByPlace && (
        <>
          , <bdi>{short}</bdi>
        </>
      )}
    </>
  );
}
