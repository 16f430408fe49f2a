import { conform } from "../conform.ts";

conform("mock");
