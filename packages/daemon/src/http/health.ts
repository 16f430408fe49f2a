/** Whether the daemon is alive: answered before anything else of the API is loaded, and to anybody. */
import type { Health } from "@sandbox-agent/schema";
import { methodNotAllowed } from "./problems.ts";

export const healthPath = "/v1/health";

const alive: Health = { status: "ok" };

export async function health(request: Request): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(request, ["GET", "HEAD"]);
  return Response.json(alive);
}
