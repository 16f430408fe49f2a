/** An exchange as a curl command. The token is read from the environment, so that the command can be shared. */
import type { Exchange } from "./request-log.ts";

export function curlOf({ method, url, headers, body, authorized }: Exchange): string {
  const parts = [`curl -X ${method} ${quote(url)}`];
  if (authorized) parts.push('-H "authorization: Bearer $SANDBOX_AGENT_TOKEN"');
  for (const [name, value] of headers) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (body !== null) parts.push(`--data-raw ${quote(body)}`);
  return parts.join(" \\\n  ");
}

/** Inside single quotes only the quote itself needs escaping. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
