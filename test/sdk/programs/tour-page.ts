/** Offers the tour to whoever drives the page. */
import { tour } from "./tour.ts";

Object.assign(globalThis, { tour });
