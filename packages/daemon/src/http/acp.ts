/** The ACP compatibility API: servers as a resource, their messages by POST, event stream and WebSocket. */
import { ProblemError } from "@sandbox-agent/schema";
import type { RecentEntry } from "../follow/recent-log.ts";
import type { HttpContext } from "./context.ts";
import { jsonText } from "./json-text.ts";
import type { Handlers } from "./router.ts";
import { slowJson } from "./slow-json.ts";

export function acpHandlers({ acp, streams }: HttpContext) {
  return {
    listAcpServers: async () => ({ servers: (await acp.made)?.list() ?? [] }),
    async postAcpMessage({ request, params, query, body }) {
      requireAccept(request, "application/json");
      const received = (await acp.get()).obtain(params.server_id, query.agent).receive(body);
      if (received.kind === "request") return slowJson(received.response);
      if (received.kind === "late") return jsonText(received.error);
      return new Response(null, { status: 202 });
    },
    async streamAcpMessages({ request, signal, connection, params }) {
      requireAccept(request, "text/event-stream");
      const start = lastFrameSeen(request);
      const { frames } = (await acp.get()).get(params.server_id);
      return streams.open({ signal, connection }, frames.source(framesOf), start);
    },
    async closeAcpServer({ params }) {
      (await acp.made)?.close(params.server_id);
    },
    async connectAcp({ params, query, upgrade }) {
      const [servers, { acpSocket }] = await Promise.all([acp.get(), import("../compat/acp/socket.ts")]);
      const server = servers.create(params.server_id, query.agent);
      const close = () => servers.close(params.server_id);
      try {
        return upgrade(acpSocket(server, close));
      } catch (error) {
        close();
        throw error;
      }
    },
  } satisfies Partial<Handlers>;
}

function framesOf(messages: readonly RecentEntry[]): string {
  return messages.map(({ id, text }) => `event: message\nid: ${id}\ndata: ${text}\n\n`).join("");
}

function requireAccept(request: Request, type: string): void {
  const accepted = request.headers.get("accept") || "*/*";
  const names = accepted.split(",").map((entry) => entry.split(";", 1)[0]?.trim().toLowerCase());
  const family = type.replace(/\/.*/, "/*");
  if (names.some((name) => name === type || name === family || name === "*/*")) return;
  const message = `this answers ${type}, and Accept is ${accepted}`;
  throw new ProblemError("not_acceptable", message, { details: { message } });
}

function lastFrameSeen(request: Request): number {
  const id = request.headers.get("last-event-id");
  if (!id) return 0;
  if (!/^\d{1,15}$/.test(id)) throw new ProblemError("invalid_request", "Last-Event-ID must be a positive integer");
  return Number(id);
}
