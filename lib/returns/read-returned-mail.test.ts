import { describe, expect, it } from "vitest"
import { readReturnedMail } from "@/lib/returns/read-returned-mail"
import { outcomeFor } from "@/lib/returns/recipient-outcome"
import type { DeliveryStatus, Envelope } from "@/lib/returns/returned-mail"

const verp = "a".repeat(39)
const returnPath = `${verp}@send.acme.test`
const envelope: Envelope = { door: "return_path", mailFrom: "", rcptTo: returnPath }
const ours = { recipient: "ada@lovelace.example", returnPath, route: "exists" as const }

const read = (lines: string[], given: Partial<Envelope> = {}) =>
  readReturnedMail(Buffer.from(lines.join("\r\n")), { ...envelope, ...given })

function statusOf(lines: string[]): DeliveryStatus {
  const mail = read(lines)
  if (mail.kind !== "delivery_status") throw new Error(`read as ${mail.kind}`)
  return mail
}

/** As Postfix writes it: with Auto-Submitted, the words, the fields and the header of the original. */
function postfix(...recipients: string[][]): string[] {
  return [
    "From: MAILER-DAEMON@relay.example (Mail Delivery System)",
    `To: ${returnPath}`,
    "Subject: Undelivered Mail Returned to Sender",
    "Auto-Submitted: auto-replied",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="B/1"',
    "",
    "--B/1",
    "Content-Type: text/plain",
    "",
    "This is the mail system at host relay.example.",
    "",
    "--B/1",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; relay.example",
    "Arrival-Date: Thu, 26 Nov 2026 10:00:00 +0000",
    ...recipients.flatMap((fields) => ["", ...fields]),
    "",
    "--B/1",
    "Content-Type: text/rfc822-headers",
    "",
    `Return-Path: <${returnPath}>`,
    `X-Mailroom-Ref: ${verp}`,
    "Message-ID: <m1@acme.test>",
    `List-Unsubscribe: <https://mail.example/u/${"T".repeat(44)}>`,
    "",
    "--B/1--",
    "",
  ]
}

describe("a delivery status notification", () => {
  it("is read with what names the mail, although Postfix says auto-replied", () => {
    const mail = statusOf(
      postfix([
        "Original-Recipient: rfc822;ada@lovelace.example",
        "Final-Recipient: rfc822; ada@mx.lovelace.example",
        "Action: failed",
        "Status: 5.0.0",
        "Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach",
        "    550 5.1.1 does not exist (in reply to RCPT TO command)",
      ]),
    )
    expect(mail).toMatchObject({
      form: "fields",
      autoSubmitted: true,
      fromNull: true,
      reportingMta: "relay.example",
      references: { verp, ref: verp, messageId: "<m1@acme.test>", unsubscribeToken: "T".repeat(44) },
      recipients: [
        {
          address: "ada@lovelace.example",
          action: "failed",
          status: "5.0.0",
          innermostReply: { code: 550, enhanced: "5.1.1", phase: "rcpt" },
        },
      ],
    })
    expect(outcomeFor(mail, ours)).toMatchObject({ kind: "failed", bounceType: "hard", bounceCode: "5.1.1" })
  })
})
