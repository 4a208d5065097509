import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const folder = "lib/deploy"
const read = (name: string) => readFileSync(join(folder, name), "utf8")

/** Names that the sources give to a metric. */
function namesInSources(): Set<string> {
  const files = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter((name) => /(?<!test)\.ts$/.test(name))
  const texts = files.map((name) => readFileSync(join("lib", name), "utf8"))
  return new Set(texts.flatMap((text) => text.match(/(?<=")mailroom_[a-z_]+(?=")/g) ?? []))
}

test.each(["alerts.yml", "grafana.json"])("every metric of %s exists", (file) => {
  const known = namesInSources()
  const named = new Set(read(file).match(/\bmailroom_[a-z_]+/g))
  const missing = [...named].filter((name) => !known.has(name) && !known.has(name.replace(/_(bucket|sum|count)$/, "")))
  expect(named.size).toBeGreaterThan(8)
  expect(missing).toEqual([])
})

test("every variable that the kit sets is one that Mailroom reads", () => {
  const settings = [
    "lib/platform/env/settings.ts",
    "lib/regions/settings.ts",
    "lib/delivery/smtp/submission-settings.ts",
  ].map((name) => readFileSync(name, "utf8"))
  const known = new Set(settings.join("\n").match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|PORT|HOST|ROLES/g))
  const ofOthers = /^(POSTGRES_|DATABASE_PASSWORD$|NODE_EXTRA_CA_CERTS$)/
  for (const file of ["Dockerfile", "compose.yml", "chart/values.yaml", "mailroom.service", "operating.md"]) {
    const set = read(file).match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+(?=[=:]\s?[^\n])/g) ?? []
    expect({ file, unknown: set.filter((name) => !known.has(name) && !ofOthers.test(name)) }).toEqual({
      file,
      unknown: [],
    })
  }
})
