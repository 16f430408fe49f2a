import { conform } from "../conform.ts";

conform("codex");
