import { expect, it } from "vitest"
import { mayConcernAll } from "@/lib/delivery/regions/refusal-rules"
import { classify } from "@/lib/delivery/transports/classify"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"

it.each<[string, boolean]>([
  ["550 5.7.1 Client host [203.0.113.5] blocked using zen.spamhaus.org", true],
  ["550 5.7.25 Client host rejected: cannot find your hostname, [203.0.113.5]", true],
  ["550 5.7.23 Recipient address rejected: SPF fail; ip=203.0.113.5;", false],
  ["550 SPF check failed: 203.0.113.5 is not allowed to send mail from acme.example", false],
  ["550 5.7.26 203.0.113.5 sends unauthenticated email, refused by the DMARC policy of acme.example", false],
  ["550 5.1.8 Sender address rejected: your IP 203.0.113.5 has no such domain", false],
])("a recipient's server may refuse everybody only for our machine, not for one sender: %s", (reply, isOfAll) => {
  expect(concernsAll({ hasOneServer: false }, reply)).toBe(isOfAll)
})

it.each<[string, boolean]>([
  ["550 5.2.2 <ada@x.example> Quota exceeded (mailbox for user is full)", false],
  ["550 5.2.2 user quota exceeded", false],
  ["550 <ada@x.example> account is full (quota exceeded)", false],
  ["550 5.2.2 Submission quota exceeded", true],
  ["550 5.7.1 Daily sending quota exceeded", true],
  ["550 Quota exceeded", true],
])("a relay may refuse everybody for a quota of ours, not for a full mailbox: %s", (reply, isOfAll) => {
  expect(concernsAll({ hasOneServer: true }, reply)).toBe(isOfAll)
})

it.each<[string, boolean]>([
  ["554 Message rejected: Sending paused for this account. For more information, please check the inbox of", true],
  ["554 5.7.1 Your account has been suspended", true],
  ["554 Message rejected: Virus found in the message", false],
  ["554 5.7.1 Message rejected because of its content", false],
  ["550 5.2.1 The account of the recipient has been disabled", false],
])("a relay may refuse everybody after the message for our account alone: %s", (reply, isOfAll) => {
  expect(concernsAll({ hasOneServer: true }, reply, "final")).toBe(isOfAll)
})

it.each<[string, boolean]>([
  ["identities failed the check in region EU-WEST-1: ada@x.example", true],
  ["identities failed the check in region EU-WEST-1: hello@acme.example, ada@x.example", true],
  ["identities failed the check in region EU-WEST-1: hello@acme.example", false],
  ["identities failed the check in region EU-WEST-1: arn:aws:ses:eu-west-1:123456789012:identity/acme.example", false],
])("a relay may refuse everybody whom an account has not verified, not for one sender: %s", (failed, isOfAll) => {
  const reply = `554 Message rejected: Email address is not verified. The following ${failed}`
  expect(concernsAll({ hasOneServer: true }, reply, "final")).toBe(isOfAll)
})

function concernsAll(nextHop: { hasOneServer: boolean }, reply: string, phase = "rcpt"): boolean {
  const [, code = "", enhanced, text = ""] = /^(\d{3}) (?:(\d\.\d\.\d+) )?(.*)$/.exec(reply) ?? []
  const attempt = {
    ...{ outcome: "refused", phase, code: Number(code), text, ...(enhanced && { enhanced }) },
    ...{ remote: "mx.x.example [192.0.2.1]:25", conversation: ["C: RCPT TO:<Ada@x.example>"] },
  } as unknown as DeliveryAttempt
  return mayConcernAll(nextHop, attempt, classify(attempt))
}
