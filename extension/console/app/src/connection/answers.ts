/** Parts of an answer of the service: the name of its file, and the pause that it asks for. */

const LONGEST_WAIT_SECONDS = 10;

export function fileName({ headers }: Response): string {
  return /filename="([^"]*)"/.exec(headers.get("Content-Disposition") ?? "")?.[1] ?? "";
}

/** Wait as long as a refused read is to wait before it is sent again. */
export async function waitAsAsked({ headers }: Response): Promise<void> {
  const seconds = Number.parseInt(headers.get("Retry-After") ?? "", 10) || 1;
  await new Promise((resume) => {
    setTimeout(resume, Math.min(seconds, LONGEST_WAIT_SECONDS) * 1000);
  });
}
