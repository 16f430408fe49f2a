/** Everything the daemon serves besides its health: the API, the web pages and the OpenCode compatibility API. */
import { ProblemError } from "@sandbox-agent/schema";
import { audited } from "../access/audited.ts";
import { authentication } from "../access/authenticate.ts";
import { lazy } from "../lazy.ts";
import { accessHandlers } from "./access.ts";
import { acpHandlers } from "./acp.ts";
import { agentHandlers } from "./agents.ts";
import { changeHandlers } from "./changes.ts";
import { configHandlers } from "./config.ts";
import type { HttpContext } from "./context.ts";
import { docsPage } from "./docs.ts";
import { eventHandlers } from "./events.ts";
import { fileHandlers } from "./files.ts";
import { inspectorPage } from "./inspector.ts";
import { messageHandlers } from "./messages.ts";
import { metaHandlers } from "./meta.ts";
import { pathFinder } from "./paths.ts";
import { methodNotAllowed } from "./problems.ts";
import { processHandlers } from "./processes.ts";
import { pathOf } from "./request-url.ts";
import { requestHandlers } from "./requests.ts";
import { createRoutes, type Route } from "./router.ts";
import type { Answer } from "./server.ts";
import { sessionHandlers } from "./sessions.ts";
import { terminalHandlers } from "./terminals.ts";

export function createApi(context: HttpContext, { token }: { token: string | null }): Answer {
  const handlers = {
    ...metaHandlers,
    ...agentHandlers(context),
    ...sessionHandlers(context),
    ...messageHandlers(context),
    ...eventHandlers(context),
    ...requestHandlers(context),
    ...fileHandlers(context),
    ...processHandlers(context),
    ...terminalHandlers(context),
    ...changeHandlers(context),
    ...configHandlers(context),
    ...acpHandlers(context),
    ...accessHandlers(context),
  };
  const authenticate = authentication({ token, signed: context.tokens, identity: context.identity });
  const openCode = lazy(async () => {
    const { createOpenCodeApi } = await import("../compat/opencode/api.ts");
    return createOpenCodeApi(context, authenticate);
  });
  const below: Route = async (request, server) => (await openCode.get()).below(request, server);
  const find = pathFinder<Route>({
    ...createRoutes(handlers, authenticate),
    "/docs": page(docsPage),
    "/ui": page(inspectorPage),
    "/ui/*": page(inspectorPage),
    "/opencode": below,
    "/opencode/*": below,
  });
  return audited(async (request, server) => {
    const found = find(pathOf(request));
    if (found) return found.target(request, server, found.params);
    const answered = (await openCode.get()).atRoot(request, server);
    if (answered) return answered;
    throw new ProblemError("not_found", `there is nothing at ${pathOf(request)}; see /docs`);
  }, context.audit);
}

function page(render: (request: Request) => Response): Route {
  return async (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(request, ["GET", "HEAD"]);
    return render(request);
  };
}
