import { expect, it } from "vitest"
import { checks, verdictWords } from "@/components/sandbox/verdicts"

it("every verdict a receiver can give has a word, a tone and a meaning for every check", () => {
  for (const check of checks) {
    for (const result of ["pass", "fail", "none", "temperror", "permerror"]) {
      const { word, means } = verdictWords(check, result)
      expect(word).toMatch(/^[A-Z]/)
      expect(means).toMatch(/\.$/)
    }
  }
})

it("no policy and no signature are grey, never red: they wait for the owner", () => {
  for (const check of checks) expect(verdictWords(check, "none").tone).toBe("wait")
  expect(verdictWords("spf", "strange")).toMatchObject({ word: "strange", tone: "wait" })
})
