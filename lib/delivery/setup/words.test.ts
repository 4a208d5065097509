import { expect, test } from "vitest"
import { regionSentence } from "@/lib/delivery/setup/words"

test("a region that does not send yet names three rows that it waits for, and counts the others", () => {
  const facts = {
    region: "eu-west-1",
    transport: "direct",
    addresses: 0,
    sending: false,
    rows: 5,
    unanswered: 0,
  } as const
  expect(regionSentence({ ...facts, red: [], lacking: ["A", "B", "C", "D", "E"] })).toBe(
    "eu-west-1 sends directly. None of 5 rows is red. Email to others waits for 5 required rows: A, B, C and 2 more. Email to operators leaves already.",
  )
  expect(regionSentence({ ...facts, red: [], lacking: ["A"] })).toContain("waits for a required row: A. Email")
})
