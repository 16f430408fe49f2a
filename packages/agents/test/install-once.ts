/** A process that installs one agent into a directory and prints the result: `install-once.ts <agent> <version> <dir>`. */
import { createInstaller } from "../src/install/create-installer.ts";

const [agent = "", version = "", directory = ""] = process.argv.slice(2);
const installed = await createInstaller({ directory, env: process.env }).install(agent, { version });
console.log(JSON.stringify(installed));
