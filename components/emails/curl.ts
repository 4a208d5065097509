import { kindOf } from "@/components/emails/kind"
import type { Email } from "@/components/emails/types"

/** How to send this email again from a terminal. Attachments and headers are not part of what the API gives back. */
export function curlOf(email: Email, baseUrl: string): string {
  const { from, to, cc, bcc, replyTo, subject, html, text, tags, metadata, testMode } = email
  const body = {
    from,
    to,
    cc,
    bcc,
    replyTo,
    subject,
    text,
    html,
    tags,
    metadata,
    ...kindOf(email),
    testMode: testMode || undefined,
  }
  return sendCommand(baseUrl, body)
}

/** A first email, ready to be pasted. */
export function firstCurl(baseUrl: string, from: string, to: string): string {
  return sendCommand(baseUrl, { from, to, subject: "Hello from Mailroom", text: "It works." })
}

/** A send of this body, for a shell. */
export function sendCommand(baseUrl: string, body: object): string {
  return [
    `curl ${baseUrl}/v1/emails`,
    '-H "Authorization: Bearer $MAILROOM_API_KEY"',
    '-H "Content-Type: application/json"',
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(" \\\n  ")
}

/** One word for a POSIX shell, whatever it contains. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
