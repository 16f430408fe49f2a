/** Version and the API's own description. */
import { openApiDocument } from "@sandbox-agent/schema";
import { version } from "../version.ts";
import { pageHeaders } from "./page-headers.ts";
import type { Handlers } from "./router.ts";

const serverInfo = `sandbox-agent ${version}
One HTTP and SSE API for every coding agent.

/v1/health         is it alive
/v1/openapi.json   the API as an OpenAPI document
/docs              the API for people
/ui/               the inspector
`;

export const metaHandlers = {
  getServerInfo: () => new Response(serverInfo, { headers: pageHeaders() }),
  getVersion: () => ({
    name: "sandbox-agent",
    version,
    runtime: `bun ${Bun.version}`,
    platform: `${process.platform}-${process.arch}`,
  }),
  getOpenApi: () => ({ openapi: "3.1.0", ...openApiDocument({ version }) }),
} satisfies Partial<Handlers>;
