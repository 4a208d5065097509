import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { apiDocument } from "@/lib/api/openapi"
import { endpoints } from "@/lib/api/registry"
import { allProblems } from "@/lib/api/problem-pages"

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

test("operation ids are unique, and every operation has a summary and a tag", () => {
  expect(new Set(endpoints.map(({ operationId }) => operationId)).size).toBe(endpoints.length)
  for (const { route, summary, tag } of endpoints)
    expect([route, Boolean(summary), Boolean(tag)]).toEqual([route, true, true])
})

test("every problem has a page that explains it, and its code has the form area.what", () => {
  for (const { code, explanation } of allProblems()) {
    expect(code).toMatch(/^[a-z_]+\.[a-z_]+$/)
    expect(explanation.length, code).toBeGreaterThan(20)
  }
})

test("a description names each problem once, and leaves out a permission that is not needed", () => {
  for (const [path, item] of Object.entries(apiDocument().paths as Record<string, Record<string, Operation>>))
    for (const [method, { description, responses }] of Object.entries(item)) {
      expect(description, `${method} ${path}`).not.toMatch(/Needs \./)
      for (const response of Object.values(responses)) {
        const codes = response.description?.match(/`[a-z_]+\.[a-z_]+`/g) ?? []
        expect(codes, `${method} ${path}`).toEqual([...new Set(codes)])
      }
    }
})

type Operation = { description: string; responses: Record<string, { description?: string }> }
