import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { makeTemplate, startTestServer } from "@/e2e/support/database"

declare module "vitest" {
  export interface ProvidedContext {
    testServerUrl: string
  }
}

/** Global set-up of the tests with a database: one server, one migrated template, stopped at the end of the run. */
export default async function setup(project: TestProject) {
  const server = await startTestServer()
  await makeTemplate(server.url)
  project.provide("testServerUrl", server.url)
  return async () => {
    await server.stop()
    rmSync(join(tmpdir(), "mailroom-tests", new URL(server.url).port), { recursive: true, force: true })
  }
}
