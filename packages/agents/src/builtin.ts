/** The ids of the built-in agents. */
export const builtinIds = ["claude", "codex", "opencode", "pi", "cursor", "amp", "mock"] as const;
export type BuiltinId = (typeof builtinIds)[number];
