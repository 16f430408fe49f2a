import { conform } from "../conform.ts";

conform("qwen-code");
