/** The language of sandbox-agent: events, requests, answers, problems, and the pure functions over them. */
export * from "./agent.ts";
export * from "./changes.ts";
export * from "./config.ts";
export * from "./content.ts";
export * from "./event.ts";
export * from "./item.ts";
export * from "./message.ts";
export * from "./openapi.ts";
export * from "./operations.ts";
export * from "./permission.ts";
export * from "./problem.ts";
export * from "./session.ts";
export * from "./session-state.ts";
export * from "./transcript.ts";
export * from "./usage.ts";
export * from "./wellformed.ts";
