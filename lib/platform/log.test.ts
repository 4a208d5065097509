import { expect, it } from "vitest"
import { makeLog } from "@/lib/platform/log"

const names = ["authorization", "cookie", "token", "secret", "password", "apiKey", "privateKey"]

it.each(names)("never writes a value called %s, at the top or nested", (name) => {
  const lines: string[] = []
  const log = makeLog({ write: (line) => lines.push(line) })
  log.error(
    { [name]: "canary", request: { [name]: "canary", headers: { [name]: "canary", deep: { [name]: "canary" } } } },
    "said",
  )
  expect(lines.join("")).toContain("said")
  expect(lines.join("")).not.toContain("canary")
})
