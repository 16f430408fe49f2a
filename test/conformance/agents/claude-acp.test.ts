import { conform } from "../conform.ts";

conform("claude-acp");
