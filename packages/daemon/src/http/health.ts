/** `GET /v1/health`: reports that the daemon is running. Needs no token, and is served before the rest of the API is loaded. */
import type { Health } from "@sandbox-agent/schema";
import { methodNotAllowed } from "./problems.ts";

export const healthPath = "/v1/health";

const healthy: Health = { status: "ok" };

export async function health(request: Request): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(request, ["GET", "HEAD"]);
  return Response.json(healthy);
}
