import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { watchedTables } from "@/lib/worker/watch-sql"

const sources = readdirSync("lib", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => readFileSync(join("lib", file), "utf8"))

test.each([...watchedTables.map(([loop]) => loop), "events", "scheduled release", "webhooks"])(
  "%s, which the watch wakes, is the name of a loop",
  (loop) => {
    expect(sources.filter((text) => text.includes(`name: "${loop}"`))).toHaveLength(1)
  },
)
