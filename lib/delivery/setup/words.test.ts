import { expect, test } from "vitest"
import { regionSentence, rowName, setupWords } from "@/lib/delivery/setup/words"

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

const shown = { state: "wrong" as const, expected: ["one"], found: ["another"] }

test("what is wrong with the certificate of the origin is changed at the reverse proxy, and its address in DNS, not in .env", () => {
  for (const code of ["certificate_expired", "certificate_ending", "certificate_untrusted"] as const)
    expect(setupWords("origin", { ...shown, code }).place, code).toBe("server")
  expect(setupWords("origin", { ...shown, code: "certificate_other_name" }).place).toBe("server")
  expect(setupWords("origin", { ...shown, code: "missing" }).place).toBe("dns")
  expect(setupWords("origin", { ...shown, code: "not_https" }).place).toBe("env")
  expect(setupWords("submission_certificate", { ...shown, code: "missing" }).place).toBe("dns")
})

test("a red row is named by what it is about, not by what would be right", () => {
  expect(rowName("reverse_generic", "203.0.113.5")).toBe("Own reverse DNS name of 203.0.113.5")
  expect(rowName("resolver")).toBe("Validating resolver")
})
