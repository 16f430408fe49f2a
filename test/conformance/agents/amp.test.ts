import { conform } from "../conform.ts";

conform("amp");
