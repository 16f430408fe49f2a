/** Coding agents behind one interface. */
export * from "./agent.ts";
export * from "./catalog/agent-book.ts";
export * from "./catalog/live-registry.ts";
export * from "./credentials/credentials.ts";
export * from "./credentials/find-credentials.ts";
export * from "./credentials/show-credentials.ts";
export * from "./draft.ts";
export * from "./environment.ts";
export * from "./install/create-installer.ts";
export * from "./install/installer.ts";
export * from "./install/manifest.ts";
export { mockAgent } from "./mock/mock.ts";
export { LineSplitter } from "./process/lines.ts";
export * from "./process/tree.ts";
export * from "./registry.ts";
export * from "./tasks/background.ts";
export * from "./tasks/within.ts";
