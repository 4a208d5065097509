import { expect, test } from "vitest"
import { sampleCauses } from "@/e2e/support/domains/sample-causes"
import { type RecordFault, causeWords, recordFaultWords } from "@/lib/explanation/record-words"

test("every cause has two sentences that name each of its facts", () => {
  for (const cause of sampleCauses) {
    const { message, fix } = causeWords(cause)
    expect([cause.code, message, fix]).toEqual([
      cause.code,
      expect.stringMatching(/^[^.].*[.)]$/),
      expect.stringMatching(/^[A-Z].*\.$/),
    ])
    expect(`${message} ${fix}`, cause.code).not.toMatch(/undefined|\[object/)
    const { kind: _kind, in: _in, is: _is, policyKept: _kept, ...named } = cause.facts as Record<string, unknown>
    for (const fact of Object.values(named).flat())
      expect(`${message} ${fix}`, cause.code).toContain(String(fact).slice(0, 10))
  }
})

test("no two causes say the same", () => {
  const said = sampleCauses.map((cause) => JSON.stringify(causeWords(cause)))
  expect(new Set(said).size).toBe(sampleCauses.length)
})

test("a check of an earlier release says what it said then", () => {
  const stored = { code: "wrong-host", message: "Found at acme.com.", fix: "Move it.", foundAt: "acme.com" }
  expect(causeWords(stored)).toEqual(stored)
})

const place = { record: "mail-from-mx", name: "send.acme.com", expected: "feedback.mailroom.test", found: [] } as const

test("every fault of a record has its own line", () => {
  const others: RecordFault[] = [
    { ...place, code: "not-found", facts: {} },
    { ...place, code: "another-value", facts: {} },
    { ...place, code: "no-answer", facts: { hours: 72 } },
    { ...place, code: "recorded", facts: { text: "Another mail server was found." } },
  ]
  const causes = sampleCauses.map((cause) => ({ ...place, ...cause }))
  const lines = [...others, ...causes].map(recordFaultWords)
  for (const line of lines) {
    expect(line).toMatch(/^MAIL FROM MX record at send\.acme\.com: \S.*[.)]$/)
    expect(line).not.toMatch(/undefined|\[object/)
  }
  // What is found at another name is the same fault, whatever the host to enter.
  expect(new Set(lines).size).toBe(new Set(sampleCauses.map((cause) => causeWords(cause).message)).size + others.length)
})

test("a fault of an earlier release is the line that it stored", () => {
  const line = "DKIM record at a._domainkey.acme.com: not found."
  expect(recordFaultWords(line)).toBe(line)
})

test("a code of the next release, left behind by a way back, is no valid record", () => {
  const cause = { code: "cursed", facts: {} } as unknown as RecordFault
  expect(recordFaultWords({ ...place, ...cause })).toBe(
    "MAIL FROM MX record at send.acme.com: The record is not valid.",
  )
})
