/** Makes the tour available to the browser test. */
import { tour } from "./tour.ts";

Object.assign(globalThis, { tour });
