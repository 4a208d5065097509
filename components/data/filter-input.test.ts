import fc from "fast-check"
import { expect, test } from "vitest"
import { applyFilter, askFor, type FilterDraft, isNews, newFilterDraft } from "@/components/data/filter-input"

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("type" as const), letter: fc.constantFrom("a", "b", " ") }),
    fc.record({ kind: fc.constantFrom("empty" as const, "pause" as const, "render" as const) }),
  ),
  { maxLength: 40 },
)

test("whenever the page renders what a field asked for, the field keeps every letter typed since, and in the end both agree", () => {
  fc.assert(
    fc.property(steps, (steps) => {
      let draft: FilterDraft = newFilterDraft("")
      let typed = ""
      const underWay: string[] = []
      const pause = () => {
        const wanted = draft.text.trim()
        if (!isNews(draft, wanted)) return
        draft = askFor(draft, wanted)
        underWay.push(wanted)
      }
      const render = () => {
        const next = underWay.shift()
        if (next !== undefined && next !== draft.applied) draft = applyFilter(draft, next)
      }
      for (const step of steps) {
        if (step.kind === "type") typed += step.letter
        if (step.kind === "empty") typed = ""
        if (step.kind === "type" || step.kind === "empty") draft = { ...draft, text: typed }
        if (step.kind === "pause") pause()
        if (step.kind === "render") render()
        expect(draft.text).toBe(typed)
      }
      pause()
      while (underWay.length > 0) render()
      expect(draft.text).toBe(typed)
      expect(draft.applied).toBe(typed.trim())
    }),
  )
})

test("what the page filters by for another reason takes the field's place, though it was about to ask for more", () => {
  const typing = { ...askFor(newFilterDraft("old"), "older"), text: "older than" }
  expect(applyFilter(typing, "")).toEqual(newFilterDraft(""))
  expect(applyFilter(applyFilter(typing, "older"), "old")).toEqual(newFilterDraft("old"))
})

test("a page that skips what was asked for in between is taken at its last word", () => {
  const asked = askFor(askFor({ ...newFilterDraft(""), text: "kind" }, "k"), "kind")
  expect(applyFilter(asked, "kind")).toEqual({ text: "kind", applied: "kind", asked: [] })
})
