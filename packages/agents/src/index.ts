/** Coding agents behind one interface. */
export * from "./agent.ts";
export * from "./draft.ts";
export * from "./registry.ts";
