/** Mails as other servers return them, in our own words: one builder a form. */

const crlf = (lines: readonly string[]) => Buffer.from(lines.join("\r\n"))

export type Original = { returnPath: string; messageId?: string; ref?: string; unsubscribe?: string; to?: string }

/** The header of a mail of ours, as servers return it. */
export function originalHeader({ returnPath, messageId, ref, unsubscribe, to }: Original): string[] {
  return [
    `Return-Path: <${returnPath}>`,
    "Received: from out.mailroom.test by mx.receiver.example with ESMTPS; Thu, 26 Nov 2026 10:00:01 +0000",
    "From: Acme <hello@acme.test>",
    `To: ${to ?? "ada@lovelace.example"}`,
    "Subject: Your receipt",
    `Message-ID: ${messageId ?? "<m1@acme.test>"}`,
    ...(ref ? [`X-Mailroom-Ref: ${ref}`] : []),
    ...(unsubscribe ? [`List-Unsubscribe: <${unsubscribe}>`] : []),
    "MIME-Version: 1.0",
  ]
}

export type Part = { type: string; lines: readonly string[]; more?: readonly string[] }

export function multipart(type: string, parts: readonly Part[], header: readonly string[] = []): Buffer {
  return crlf([
    ...header,
    "MIME-Version: 1.0",
    `Content-Type: ${type}; boundary="=_B/1"`,
    "",
    "This is a multi-part message in MIME format.",
    ...parts.flatMap(({ type: of, lines, more = [] }) => ["", "--=_B/1", `Content-Type: ${of}`, ...more, "", ...lines]),
    "",
    "--=_B/1--",
    "",
  ])
}

export type StatusMail = {
  /** The fields of each recipient. */
  recipients: readonly (readonly string[])[]
  original: Original
  words?: readonly string[]
  header?: readonly string[]
  statusType?: string
  originalType?: string
}

/** A delivery status notification of RFC 3464 as Postfix writes it, which says of itself that it is an automatic reply. */
export function statusMail({ recipients, original, words, header, statusType, originalType }: StatusMail): Buffer {
  return multipart(
    "multipart/report; report-type=delivery-status",
    [
      { type: "text/plain", lines: words ?? ["This is the mail system at host relay.example."] },
      {
        type: statusType ?? "message/delivery-status",
        lines: ["Reporting-MTA: dns; relay.example", "", ...recipients.flatMap((fields) => [...fields, ""])],
      },
      { type: originalType ?? "text/rfc822-headers", lines: originalHeader(original) },
    ],
    header ?? [
      "From: MAILER-DAEMON@relay.example (Mail Delivery System)",
      "Subject: Undelivered Mail Returned to Sender",
      "Auto-Submitted: auto-replied",
    ],
  )
}

/** A bounce in words alone: what the server writes, then the original below a line of its own. */
export function bounceInWords(
  words: readonly string[],
  original: Original | null,
  { header, line }: { header?: readonly string[]; line?: string } = {},
): Buffer {
  return crlf([
    ...(header ?? ["From: MAILER-DAEMON@mx.receiver.example", "Subject: failure notice"]),
    "",
    ...words,
    "",
    ...(original
      ? [line ?? "--- Below this line is a copy of the message.", "", ...originalHeader(original), "", "Thank you"]
      : []),
    "",
  ])
}

/** A report of RFC 5965: fields beside the original. */
export function feedbackMail(fields: readonly string[], original: Original, originalType = "message/rfc822"): Buffer {
  return multipart(
    "multipart/report; report-type=feedback-report",
    [
      { type: "text/plain; charset=US-ASCII", lines: ["This is an email abuse report."] },
      { type: "message/feedback-report", lines: fields },
      { type: originalType, lines: [...originalHeader(original), "", "Thank you"] },
    ],
    ["From: <abusedesk@receiver.example>", "Subject: FW: Your receipt"],
  )
}

/** A report of Microsoft's Junk Mail Reporting Program: no report part. */
export function junkMail(original: Original, recipient: string, sourceIp = "192.0.2.4"): Buffer {
  return multipart(
    "multipart/mixed",
    [
      {
        type: "message/rfc822",
        lines: [`X-HmXmrOriginalRecipient: ${recipient}`, ...originalHeader(original), "", "Thank you"],
        more: ["Content-Disposition: inline"],
      },
    ],
    ["From: staff@hotmail.example", `Subject: complaint about message from ${sourceIp}`],
  )
}

export function plainMail(header: readonly string[], text: readonly string[] = []): Buffer {
  return crlf([...header, "", ...text, ""])
}

/** A mail with files attached, as report senders write it. */
export function mailWithFiles(
  files: readonly { type: string; filename: string; content: Uint8Array }[],
  header: readonly string[] = ["From: noreply@receiver.example", "Subject: Report domain: acme.test"],
  type = "multipart/mixed",
): Buffer {
  return multipart(
    type,
    [
      { type: "text/plain", lines: ["This is a report."] },
      ...files.map((file) => ({
        type: `${file.type}; name="${file.filename}"`,
        more: ["Content-Transfer-Encoding: base64", `Content-Disposition: attachment; filename="${file.filename}"`],
        lines:
          Buffer.from(file.content)
            .toString("base64")
            .match(/.{1,76}/g) ?? [],
      })),
    ],
    header,
  )
}
