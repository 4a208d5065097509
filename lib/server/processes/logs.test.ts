import { expect, it } from "vitest"
import { makeLog } from "@/lib/platform/log"
import { entryOf, shownOf } from "@/lib/server/processes/logs"

const hostile = [
  '\n{"level":"fatal","msg":"login ok"}',
  "\u001b[2J\u001b[1;1Hgone",
  "\u009b2J",
  "\r[web] all is well",
  "\u2028next",
  "\u0007",
]

it("a line for stdout is one JSON object with the name of its process, also where it was plain text", () => {
  expect(JSON.parse(entryOf("worker", '{"level":"warn","msg":"late"}', "stdout"))).toEqual({
    level: "warn",
    msg: "late",
    process: "worker",
  })
  expect(JSON.parse(entryOf("web 1", "Warning: x", "stderr"))).toMatchObject({
    level: "error",
    msg: "Warning: x",
    process: "web 1",
  })
})

it.each(hostile)("%j in a message is one line of the log and does nothing to a terminal", (text) => {
  const lines: string[] = []
  const log = makeLog({ write: (line) => void lines.push(line) })
  log.error({ name: text, err: new Error(text) }, text)
  expect(lines).toHaveLength(1)
  expect(lines[0]?.trimEnd()).not.toMatch(/[\n\r\u001b\u0007]/)
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "error", name: text, msg: text })
  for (const shown of [
    shownOf("web", (lines[0] ?? "").trimEnd(), false),
    shownOf("web", text.replace(/\n/g, ""), true),
  ]) {
    expect(shown).toMatch(/^\[web\] /)
    expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
  }
})
