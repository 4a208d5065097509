import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BuildOptions } from "esbuild"
import type { TestProject } from "vitest/node"
import { makeTemplate, startTestServer, type TestServer } from "@/e2e/support/database"
import { makeKeyPairs, type KeyPair } from "@/e2e/support/key-pairs"
import { bundleOptions } from "@/lib/cli/bundles.mjs"

declare module "vitest" {
  export interface ProvidedContext {
    testServerUrl: string
    keyPairs: KeyPair[]
  }
}

/** Each project loads this file anew. */
const shared = globalThis as { tests?: { server: Promise<TestServer>; keyPairs: KeyPair[]; users: number } }

/** Global set-up of the tests with a database: one server, one migrated template for both projects, stopped at the end of the run. */
export default async function setup(project: TestProject) {
  const tests = (shared.tests ??= { server: startWithTemplate(), keyPairs: makeKeyPairs(), users: 0 })
  tests.users += 1
  const server = await tests.server
  project.provide("testServerUrl", server.url)
  project.provide("keyPairs", tests.keyPairs)
  return async () => {
    tests.users -= 1
    if (tests.users > 0) return
    await server.stop()
    rmSync(join(tmpdir(), "mailroom-tests", new URL(server.url).port), { recursive: true, force: true })
  }
}

async function startWithTemplate(): Promise<TestServer> {
  const [server] = await Promise.all([startTestServer(), bundleDocuments()])
  await makeTemplate(server.url)
  return server
}

/** The program that reads documents apart, as `npm start` makes it. */
async function bundleDocuments(): Promise<void> {
  const { build } = await import("esbuild")
  await build({ ...(bundleOptions(process.cwd(), ["documents"]) as BuildOptions), write: true })
}
