import { expect, test } from "vitest"
import { addressBlockedEmail, operatorNoticeEmail } from "@/lib/access/system-mail/messages"

test("the operator reads which address is refused by whom, with its words, and escaped", () => {
  const { subject, text, html } = addressBlockedEmail(
    {
      kind: "address-blocked",
      ...{ address: "203.0.113.5", destination: "Outlook.com", region: "eu-west-1" },
      reply: `5.7.1 [203.0.113.5] is blocked <img src=x onerror="alert(1)">`,
      url: "https://mail.example.com/projects/proj_1/settings/destinations/7",
    },
    "mail.example.com",
  )
  expect(subject).toBe("Outlook.com refuses 203.0.113.5")
  for (const body of [text, html]) expect(body).toContain("203.0.113.5 of Mailroom at mail.example.com (eu-west-1)")
  expect(text).toContain("settings/destinations/7")
  expect(html).not.toContain("<img")
})

test("a notice names what is wrong in its subject, and has cause, remedy and page in both forms", () => {
  const { subject, text, html } = operatorNoticeEmail(
    {
      kind: "operator-notice",
      title: "Wrong: Reverse DNS of 203.0.113.6",
      message: "There is no such record. Expected 203.0.113.6 PTR out1.mail.example. Found <b>nothing</b>.",
      fix: "Set the reverse DNS.",
      url: "https://mail.example.com/projects/proj_1/settings/sending",
    },
    "mail.example.com",
  )
  expect(subject).toBe("Wrong: Reverse DNS of 203.0.113.6")
  for (const part of ["Expected 203.0.113.6 PTR", "Set the reverse DNS.", "settings/sending", "mail.example.com"])
    for (const body of [text, html]) expect(body).toContain(part)
  expect(html).not.toContain("<b>")
})
