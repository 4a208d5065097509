/** A bounce as Postfix writes it (RFC 3464), about one recipient. */
export function bounce({
  returnPath,
  recipient,
  status = "5.1.1",
  action = "failed",
  diagnostic = `smtp; 550 ${status} <${recipient}>: Recipient address rejected: User unknown`,
  original = `From: hello@acme.example\r\nTo: ${recipient}\r\nSubject: Hello\r\n`,
  mark = "",
}: {
  returnPath: string
  recipient: string
  status?: string
  action?: "failed" | "delayed" | "delivered" | "relayed"
  diagnostic?: string
  original?: string
  /** Makes it another mail. */
  mark?: string
}): string {
  return [
    "From: MAILER-DAEMON@mx.example.net (Mail Delivery System)",
    `To: ${returnPath}`,
    "Subject: Undelivered Mail Returned to Sender",
    "Auto-Submitted: auto-replied",
    `Message-Id: <${mark}@mx.example.net>`,
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=us-ascii",
    "",
    "This is the mail system at host mx.example.net.",
    "",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.net",
    "",
    `Final-Recipient: rfc822; ${recipient}`,
    `Original-Recipient: rfc822;${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    "Remote-MTA: dns; mx.recipient.example",
    `Diagnostic-Code: ${diagnostic}`,
    "",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Return-Path: <${returnPath}>`,
    original,
    "--b--",
    "",
  ].join("\r\n")
}

/** A complaint of a feedback loop (RFC 5965). */
export function feedback({
  feedbackType = "abuse",
  originalMailFrom,
  originalRecipient,
  original = "",
}: {
  feedbackType?: string
  originalMailFrom?: string
  originalRecipient?: string
  /** Fields of the original's header. */
  original?: string
}): string {
  return [
    "From: fbl@provider.example",
    "To: fbl@mailroom.test",
    "Subject: complaint",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "A user complained.",
    "",
    "--b",
    "Content-Type: message/feedback-report",
    "",
    `Feedback-Type: ${feedbackType}`,
    "User-Agent: Provider/1.0",
    "Version: 1",
    ...(originalMailFrom ? [`Original-Mail-From: <${originalMailFrom}>`] : []),
    ...(originalRecipient ? [`Original-Rcpt-To: <${originalRecipient}>`] : []),
    "",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Subject: Hello\r\n${original}`,
    "--b--",
    "",
  ].join("\r\n")
}
