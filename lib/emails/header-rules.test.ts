import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { headerFault, headersFaults, sendableHeaders, splitAddresses } from "@/lib/emails/header-rules"

const sentence = expect.stringMatching(/^[A-Z].*\.$/)

describe("headerFault", () => {
  it.each([
    ["X-Entity-Ref-ID", "abc 123"],
    ["In-Reply-To", "<a@b.test>"],
    ["Auto-Submitted", "auto-generated"],
    ["X-A", "Grüße"],
    ["X", "v".repeat(995)],
    ["List-Unsubscribe", "<https://acme.example/leave/1>"],
    ["list-unsubscribe-post", "List-Unsubscribe=One-Click"],
    ["References", `<${"a".repeat(60)}@b.test> `.repeat(700)],
    ["List-Help", "<https://acme.example/help?a=?b> (Help), <mailto:help@acme.example?subject=help>"],
    ["List-Post", "NO"],
    ["List-Subscribe", `<https://acme.example/${"s".repeat(950)}>`],
    ["Archived-At", "<https://acme.example/news/7>"],
    ["Disposition-Notification-To", '"Lovelace, Ada" <ada@acme.example>, b@acme.example'],
    ["Return-Receipt-To", "receipts@acme.example"],
    ["Disposition-Notification-To", "Jörg Müller <joerg@acme.example>, zoe@bücher.example"],
    ["Return-Receipt-To", '"Müller, Jörg" <joerg@acme.example>'],
    ["X-Campaign", "X-SMTPAPI in a value is nothing"],
    ["X-Mcguffin", "a"],
    ["X-Message-Class", "b"],
    ["IN-REPLY-TO", `<${"a".repeat(600)}@b.test> <${"b".repeat(600)}@b.test>`],
  ])("lets a caller set %s", (name, value) => expect(headerFault(name, value)).toBeNull())

  it.each(
    (
      "from To CC bcc Sender reply-to date SUBJECT message-id mime-version content-type Content-Transfer-Encoding " +
      "content-anything dkim-signature return-path received authentication-results list-unsubscribe-more " +
      "list-id feedback-id resent-from ARC-Seal delivered-to X-SES-CONFIGURATION-SET X-SMTPAPI x-smtpapi X-MC-BccAddress " +
      "X-MSYS-API X-Mailgun-Recipient-Variables X-Mailgun-Tag X-MJ-CustomID X-PM-Message-Stream X-Mandrill-Subaccount " +
      "X-Postmark-Server-Token X-SG-EID X-Sparkpost-Token X-Mailroom-Anything X-Mailin-Tag X-MS-Exchange-Organization-SCL"
    ).split(" "),
  )("protects %s", (name) => expect(headerFault(name, "x")).toEqual(sentence))

  it.each([
    ["X-A", "b\r\nBcc: e@x"],
    ["X-A", "b\nBcc: e@x"],
    ["X-A", "b\rc"],
    ["X-A", "b\u0000"],
    ["X-A", "b\u0085c"],
    ["X-A", "b\u2028c"],
    ["X-A\r\nBcc", "e"],
    ["BCC ", "e@x"],
    ["X A", "e"],
    ["X:A", "e"],
    ["Bcc:", "e"],
    ["", "e"],
    ["Xé", "e"],
    ["X".repeat(77), "e"],
    ["X", "v".repeat(996)],
    ["X", "é".repeat(498)],
    ["References", `<${"a".repeat(60)}@b.test> `.repeat(800)],
    ["In-Reply-To", `<${"a".repeat(900)}@b.test>`],
    ["References", "<ü@b.test>"],
    ["List-Unsubscribe", "https://acme.example/leave"],
    ["List-Unsubscribe", "<https://acme.example/abmelden/ü>"],
    ["List-Unsubscribe", "<https://acme.example/with space>"],
    ["List-Unsubscribe", "<javascript:alert(1)>"],
    ["List-Unsubscribe", "<https://>"],
    ["List-Unsubscribe", "<mailto:nobody>"],
    ["List-Unsubscribe", "<https://a.example> <https://b.example>"],
    ["List-Unsubscribe-Post", "One-Click"],
    ["List-Help", "=?UTF-8?Q?=3Chttps=3A//acme.example=3E?="],
    ["list-owner", "<acme.example>"],
    ["List-Archive", "<https://acme.example/%zz>"],
    ["Archived-At", "<https://a.example>, <https://b.example>"],
    ["Disposition-Notification-To", "Ada"],
    ["Disposition-Notification-To", "Zoë <zoë@acme.example>"],
    ["Return-Receipt-To", "=?UTF-8?Q?zoe?=@acme.example"],
    ["Return-Receipt-To", "a@acme.example,"],
    ["Return-Receipt-To", ""],
    ["Auto-Submitted", "auto-erzeugt für dich"],
  ])("refuses %j: %j", (name, value) => expect(headerFault(name, value)).toEqual(sentence))
})

test("two headers whose names differ in letter case are one header given twice", () => {
  const headers = {
    References: "<a@b.test>",
    "X-A": "1",
    references: "<c@b.test>",
    REFERENCES: "<d@b.test>",
    "X-B": "1",
  }
  expect(headersFaults(headers).map(({ name }) => name)).toEqual(["references", "REFERENCES"])
  expect(headersFaults(headers)[0]?.sentence).toMatch(/references is given twice: References is the same name\.$/)
})

test("what an earlier release accepted goes out without the headers that are refused now", () => {
  const headers = { "X-A": "1", "X-SMTPAPI": "{}", "x-a": "2", "List-Help": "<https://a.example/ü>" }
  expect(sendableHeaders(headers)).toEqual({ "X-A": "1" })
})

describe("splitAddresses", () => {
  const quoted = fc.array(fc.constantFrom("a", ",", " ", "\\\\", '\\"')).map((parts) => `"${parts.join("")}"`)
  const plain = fc.string({ unit: fc.constantFrom("a", "@", ".", " ", "<", ">", "\\") })
  const mailbox = fc.array(fc.oneof(quoted, plain), { minLength: 1 }).map((parts) => parts.join(""))

  test("lists whose quotes are closed are split at the commas outside them", () => {
    fc.assert(
      fc.property(fc.array(mailbox, { minLength: 1 }), (mailboxes) => {
        const whole = mailboxes.every((one) => one !== "")
        const expected = whole ? mailboxes.map((one) => one.trim()) : [""]
        expect(splitAddresses(mailboxes.join(",")), "the addresses of the list").toEqual(expected)
      }),
    )
  })

  test("a quote that is not closed ends with the text", () => {
    expect(splitAddresses('a@b.test, "Ada, b@b.test'), "the addresses").toEqual(["a@b.test", '"Ada, b@b.test'])
    expect(splitAddresses('"Ada\\'), "the only address").toEqual(['"Ada\\'])
  })

  test.each(['"\\', '"', '"a",', ",", "a@b.test,"])("1 MB of %s takes time linear in it", measured, (part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length))
    const startedAt = performance.now()
    splitAddresses(text)
    expect(performance.now() - startedAt, "milliseconds").toBeLessThan(1_000)
  })
})
