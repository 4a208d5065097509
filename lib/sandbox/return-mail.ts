import { randomUUID } from "node:crypto"
import { createSmtpPool } from "@/lib/delivery/smtp/client"
import type { Transport } from "@/lib/delivery/transports/transport"
import { env } from "@/lib/platform/env/env"

/** A mail that a recipient's provider sends because of one of ours. */
export type ReturnMail = { from: string; to: string; message: Buffer }

/** What the simulator had of the mail that it answers. */
export type Original = { mailFrom: string; rcptTo: string; raw: Buffer }

/** The way to the listener for returned mail on this machine, which is by SMTP as for everybody. */
export function returnTransport(port: number): Transport {
  return createSmtpPool({ host: "127.0.0.1", port, tls: "none", maxConnections: 2 }, { ehloName: simulatorHost() })
}

/** The bounce of a server that took a mail and found out later that the mailbox is missing (RFC 3464). */
export function lateBounce({ mailFrom, rcptTo, raw }: Original, now: Date): ReturnMail {
  const message = report(now, {
    from: `MAILER-DAEMON@${simulatorHost()}`,
    to: mailFrom,
    subject: "Undelivered Mail Returned to Sender",
    type: "delivery-status",
    text: `The simulator took the mail for ${rcptTo} and returns it now.`,
    fields: [
      `Reporting-MTA: dns; ${simulatorHost()}`,
      `Arrival-Date: ${dateOf(now)}`,
      "",
      `Final-Recipient: rfc822; ${rcptTo}`,
      "Action: failed",
      "Status: 5.1.1",
      `Remote-MTA: dns; ${simulatorHost()}`,
      `Diagnostic-Code: smtp; 550 5.1.1 <${rcptTo}>: User unknown: the simulator rejects this address later`,
    ],
    raw,
  })
  return { from: "", to: mailFrom, message }
}

/** The report of a provider whose user marked a mail as spam (RFC 5965). */
export function complaint({ mailFrom, rcptTo, raw }: Original, now: Date): ReturnMail {
  const to = `fbl@${env().serviceDomain}`
  const from = `feedback@${simulatorHost()}`
  const message = report(now, {
    from,
    to,
    subject: "Email feedback report",
    type: "feedback-report",
    text: `${rcptTo} marked this mail as spam.`,
    fields: [
      "Feedback-Type: abuse",
      "User-Agent: Mailroom-Simulator/1.0",
      "Version: 1",
      `Original-Mail-From: <${mailFrom}>`,
      `Original-Rcpt-To: <${rcptTo}>`,
      `Arrival-Date: ${dateOf(now)}`,
      "Source-IP: 127.0.0.1",
    ],
    raw,
  })
  return { from, to, message }
}

type Report = { from: string; to: string; subject: string; type: string; text: string; fields: string[]; raw: Buffer }

/** A multipart/report (RFC 6522) with the header of the original. */
function report(now: Date, { from, to, subject, type, text, fields, raw }: Report): Buffer {
  const boundary = `=_${randomUUID()}`
  const end = raw.indexOf("\r\n\r\n")
  const part = (contentType: string, lines: string[]) => [
    `--${boundary}`,
    `Content-Type: ${contentType}`,
    "",
    ...lines,
    "",
  ]
  return Buffer.from(
    [
      `From: ${from}`,
      `To: ${to}`,
      `Subject: ${subject}`,
      `Date: ${dateOf(now)}`,
      `Message-ID: <${randomUUID()}@${simulatorHost()}>`,
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      `Content-Type: multipart/report; report-type=${type}; boundary="${boundary}"`,
      "",
      ...part("text/plain; charset=us-ascii", [text]),
      ...part(`message/${type}`, fields),
      ...part("text/rfc822-headers", [raw.toString("latin1", 0, end < 0 ? raw.length : end)]),
      `--${boundary}--`,
      "",
    ].join("\r\n"),
    "latin1",
  )
}

export function simulatorHost(): string {
  return `simulator.${env().serviceDomain}`
}

export function dateOf(now: Date): string {
  return now.toUTCString().replace("GMT", "+0000")
}
