import { conform } from "../conform.ts";

conform("opencode");
