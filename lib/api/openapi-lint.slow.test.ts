import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { apiDocument } from "@/lib/api/openapi"

test("the OpenAPI document passes the linter without an error or a warning", () => {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-openapi-"))
  const file = join(folder, "openapi.json")
  const config = join(folder, "redocly.yaml")
  try {
    // As on an installation with an address of its own: that of a test is localhost.
    const servers = [{ url: "https://mailroom.acme.dev" }]
    writeFileSync(file, JSON.stringify({ ...apiDocument(), servers }, null, 1))
    writeFileSync(config, "extends: [recommended]\n")
    const lint = ["lint", file, "--config", config, "--format", "json"]
    const output = execFileSync("node_modules/.bin/redocly", lint, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
    expect(JSON.parse(output.slice(output.indexOf("{"))).problems).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
}, 60_000)
