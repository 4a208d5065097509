import { expect, it } from "vitest"
import { isWorthKeeping, readDrafts } from "@/components/compose/drafts"
import { noFields } from "@/components/compose/fields"

const stored = (text: string | null) => readDrafts("proj_1", { getItem: () => text })

it("what is stored and no draft is as if it were not there, and a field that it lacks is empty", () => {
  expect([null, "", "{", "{}", "[1, null, {}]"].map(stored)).toEqual([[], [], [], [], []])
  const [draft] = stored(JSON.stringify([{ id: "a", savedAt: 1, fields: { subject: "Hi", attachments: [{}] } }]))
  expect(draft).toEqual({ id: "a", savedAt: 1, fields: { ...noFields, subject: "Hi" } })
})

it("a form in which nobody has written is no draft", () => {
  expect(isWorthKeeping({ ...noFields, from: "hello@acme.test", subject: "  " })).toBe(false)
  expect(isWorthKeeping({ ...noFields, text: "Hi" })).toBe(true)
})
