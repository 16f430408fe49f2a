/** `api info | health | version | openapi | events-sse`: operations on the whole daemon. */
import type { Command } from "commander";
import { addOperation } from "../operation-command.ts";

interface AllEventsOptions {
  offset?: string;
  includeRaw?: true;
}

export function addMeta(api: Command): void {
  addOperation(api, { operation: "getServerInfo", usage: "info", request: () => ({ params: {} }) });
  addOperation(api, { operation: "getHealth", usage: "health", request: () => ({ params: {} }) });
  addOperation(api, { operation: "getVersion", usage: "version", request: () => ({ params: {} }) });
  addOperation(api, { operation: "getOpenApi", usage: "openapi", request: () => ({ params: {} }) });
  addOperation(api, {
    operation: "streamAllEvents",
    usage: "events-sse",
    request: ({ offset, includeRaw }: AllEventsOptions) => ({
      params: {},
      query: { offset, include_raw: includeRaw },
    }),
  })
    .option("-o, --offset <id>", "continue after the frame with this id; 0 for all stored events (default: live only)")
    .option("--include-raw", "add the agents' own messages as `raw`");
}
