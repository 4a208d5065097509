import { expect, test } from "vitest"
import { storedUndeliveredText, type UndeliveredReason } from "@/lib/access/system-mail/system-mail"

const answer = "550 5.1.1 no such user"

// A record, so that a new code does not compile until the test covers it.
const reasons: { [C in UndeliveredReason["code"]]: [Extract<UndeliveredReason, { code: C }>["facts"], string][] } = {
  expired: [[{}, "It was not delivered in time."]],
  unwritable_address: [[{}, "The address cannot be written in a message."]],
  refused: [[{ answer }, `The mail server refused it: ${answer}`]],
  deferred: [[{ hours: 24, answer }, `The mail server did not accept it for 24 hours: ${answer}`]],
  unreachable: [
    [{ hours: 24, answer }, `The mail server was unreachable for 24 hours: ${answer}`],
    [{ hours: 24 }, "The mail server was unreachable for 24 hours."],
  ],
}

test.each(Object.entries(reasons))("%s says why system mail was given up", (code, forms) => {
  for (const [facts, text] of forms) expect(storedUndeliveredText(code, facts)).toBe(text)
})

test("a row of an earlier release says the sentence that it holds", () => {
  expect(storedUndeliveredText("It was not delivered in time.", null)).toBe("It was not delivered in time.")
})
