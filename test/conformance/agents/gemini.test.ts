import { conform } from "../conform.ts";

conform("gemini");
