import { conform } from "../conform.ts";

conform("github-copilot-cli");
