import { expect, test } from "vitest"
import { headerReadingWords } from "@/components/operator/test-words"

const reading = {
  server: "mx.example",
  from: "acme.example",
  results: [
    { method: "dkim", result: "neutral", aligned: true, domain: "acme.example", selector: "mailroom" },
    { method: "spf", result: "fail", aligned: true, domain: "send.acme.example", address: "203.0.113.9" },
  ],
  signatures: [{ domain: "acme.example", selector: "mailroom" }],
  hops: [],
}

test.each([
  ["passes", "mx.example found SPF, DKIM and DMARC in order.", "spam folder"],
  ["spf_not_allowed", "The SPF record of send.acme.example does not allow 203.0.113.9.", "zone file"],
  ["dkim_key", "The DKIM key of acme.example was not found, or cannot be used.", "mailroom._domainkey.acme.example"],
  ["dmarc_missing", "acme.example has no DMARC record.", "_dmarc.acme.example"],
] as const)("headers that are read as %s are one sentence with what is to be changed", (code, title, todo) => {
  const words = headerReadingWords({ ...reading, code })
  expect(words.title).toBe(title)
  expect(words.todo).toContain(todo)
})
