import { conform } from "../conform.ts";

conform("pi");
