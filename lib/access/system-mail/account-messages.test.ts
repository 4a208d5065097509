import { expect, test } from "vitest"
import { accountChangedEmail } from "@/lib/access/system-mail/messages"
import { systemSubjectCharsMax, type AccountChange } from "@/lib/access/system-mail/system-mail"

const about = { kind: "account-changed", to: "ada@example.com", at: "2026-11-28T09:05:31.120Z" } as const
const changes = [
  "password-changed",
  "totp-enabled",
  "totp-disabled",
  "recovery-codes-created",
  "passkey-added",
  "passkey-removed",
  "second-factor-reset",
] as const satisfies AccountChange[]

test.each(changes)(
  "the email about %s says whose account, when, from where and what to do, in both forms",
  (change) => {
    const { subject, text, html } = accountChangedEmail({ ...about, change, ip: "203.0.113.5" }, "mail.example.com")
    expect([...subject].length).toBeLessThanOrEqual(systemSubjectCharsMax)
    for (const part of [
      "ada@example.com",
      "mail.example.com",
      "2026-11-28 09:05 UTC",
      "203.0.113.5",
      "If not, sign in",
    ])
      for (const body of [text, html]) expect(body).toContain(part)
  },
)

test("what the operator did by a command has no address", () => {
  const { text } = accountChangedEmail({ ...about, change: "second-factor-reset" }, "mail.example.com")
  expect(text).toContain("It was done on 2026-11-28 09:05 UTC.")
})
