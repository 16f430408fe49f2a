/** Types of the SDK. The compiler checks them; at run time there is nothing to do. */
import type {
  AgentInfo,
  ContentPart,
  CreateSessionResponse,
  EventPage,
  PermissionRequest,
  Problem,
  SandboxAgent,
  SandboxAgentError,
  Session,
  UniversalEvent,
} from "sandbox-agent";
import { describe, expectTypeOf, test } from "vitest";

describe("the types", () => {
  test("of events are a union discriminated by type", () => {
    const read = (event: UniversalEvent) => {
      if (event.type === "item.delta") expectTypeOf(event.data.delta).toEqualTypeOf<string>();
      if (event.type === "turn.ended") expectTypeOf(event.data.phase).toEqualTypeOf<"ended">();
      // @ts-expect-error: only some events have a delta
      event.data.delta;
      // @ts-expect-error: there is no such type
      if (event.type === "item.exploded") return;
    };
    expectTypeOf(read).toBeFunction();
  });

  test("of content parts are a union discriminated by type", () => {
    const read = (part: ContentPart) => {
      if (part.type === "tool_call") expectTypeOf(part.arguments).toEqualTypeOf<string>();
      if (part.type === "file_ref") expectTypeOf(part.action).toEqualTypeOf<"read" | "write" | "patch">();
    };
    expectTypeOf(read).toBeFunction();
  });

  test("of methods follow the API", () => {
    expectTypeOf<SandboxAgent["getEvents"]>().returns.resolves.toEqualTypeOf<EventPage>();
    expectTypeOf<SandboxAgent["getAgent"]>().returns.resolves.toEqualTypeOf<AgentInfo>();
    expectTypeOf<SandboxAgent["getEvents"]>().parameter(1).exclude<undefined>().toHaveProperty("offset");
    const use = async (client: SandboxAgent) => {
      expectTypeOf(await client.createSession({ agent: "mock" })).toEqualTypeOf<Session>();
      expectTypeOf(await client.createSession("id", { agent: "mock" })).toEqualTypeOf<CreateSessionResponse>();
      expectTypeOf(await client.api.json("getAgent", { path: { agent: "mock" } })).toEqualTypeOf<AgentInfo>();
      // @ts-expect-error: an agent is needed
      await client.createSession({ title: "x" });
      // @ts-expect-error: there is no such mode
      await client.createSession({ agent: "mock", permissionMode: "yolo" });
      // @ts-expect-error: a reply is once, always or reject
      await client.replyPermission("id", "permission", { reply: "perhaps" });
      // @ts-expect-error: there is no such operation
      await client.api.json("getNothing", {});
      // @ts-expect-error: the parameter has another name
      await client.api.json("getAgent", { path: { id: "mock" } });
    };
    expectTypeOf(use).toBeFunction();
  });

  test("of listeners depend on the name", () => {
    const use = (session: Session) => {
      session.on("permission", (request) => expectTypeOf(request).toEqualTypeOf<PermissionRequest>());
      session.on("turn.ended", (event) => expectTypeOf(event.type).toEqualTypeOf<"turn.ended">());
      session.on("event", (event) => expectTypeOf(event).toEqualTypeOf<UniversalEvent>());
      // @ts-expect-error: nothing by that name
      session.on("weather", () => {});
    };
    expectTypeOf(use).toBeFunction();
    expectTypeOf<Session["prompt"]>().returns.toEqualTypeOf<AsyncGenerator<UniversalEvent, void, undefined>>();
  });

  test("of failures have the problem", () => {
    expectTypeOf<SandboxAgentError["problem"]>().toEqualTypeOf<Problem | null>();
    expectTypeOf<SandboxAgentError["status"]>().toEqualTypeOf<number>();
  });
});
