/** The version of the daemon, from the package it is part of. */
import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;
