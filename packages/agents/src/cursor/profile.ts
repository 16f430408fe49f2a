/** Cursor: an ACP agent with questions, plans and notes of its own. */
import type { AcpProfile } from "../acp/profile.ts";
import { cursorExtensions } from "./extensions.ts";

export const cursorProfile: AcpProfile = {
  id: "cursor",
  name: "Cursor",
  args: ["acp"],
  keys: { cursor: "CURSOR_API_KEY" },
  inheritEnv: ["CURSOR_AUTH_TOKEN"],
  authMethod: "cursor_login",
  asksQuestions: true,
  extensions: cursorExtensions,
};
