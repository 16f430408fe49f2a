/** Runs the tour as a program and prints its report. */
import { tour } from "./tour.ts";

const [, , baseUrl = "", token = ""] = process.argv;
console.log(JSON.stringify(await tour({ baseUrl, token })));
