import { readFileSync } from "node:fs"

/** Of this product, as package.json has it. A process runs in the folder of its release. */
export const version = (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version
