// Generates the database client: `node lib/cli/prisma-generate.mjs`. Imported before Prisma's command line it leaves out
// what `generate` never calls of it and what is not installed where Mailroom only runs.
import { spawnSync } from "node:child_process"
import Module from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const self = fileURLToPath(import.meta.url)
const unused = /^@prisma\/(dev|studio-core)(\/|$)/
const load = Module._load
Module._load = (name, ...rest) => (unused.test(name) ? {} : load(name, ...rest))

if (process.argv[1] === self) {
  const root = join(dirname(self), "..", "..")
  // The schema engine is a download that this needs nothing of; any program will do in its place.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true",
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  }
  const cli = join(root, "node_modules", "prisma", "build", "index.js")
  const options = { cwd: root, env, stdio: "inherit" }
  const { status } = spawnSync(process.execPath, ["--import", import.meta.url, cli, "generate", "--no-hints"], options)
  process.exit(status ?? 1)
}
