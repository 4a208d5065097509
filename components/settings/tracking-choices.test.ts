import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { trackingChoices } from "@/components/settings/tracking-choices"

test("each switch of a project's tracking decides what its email carries", () => {
  const statement = readFileSync("lib/delivery/queue/claims/messages-sql.ts", "utf8")
  const columns = trackingChoices.map(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  expect(columns.filter((column) => !new RegExp(`(p\\.|")${column}\\b`).test(statement))).toEqual([])
})
