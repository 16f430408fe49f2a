/** The ids of the agents that are there without being defined. */
export const builtinIds = ["claude", "codex", "opencode", "pi", "cursor", "amp", "mock"] as const;
export type BuiltinId = (typeof builtinIds)[number];
