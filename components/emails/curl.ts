import { postCurl } from "@/components/data/curl"
import type { CallInput } from "@/components/data/route"
import { kindOf } from "@/components/emails/kind"
import type { Email } from "@/components/emails/types"

/** How to send this email again from a terminal. */
export function curlOf(email: Email, baseUrl: string): string {
  return sendCommand(baseUrl, bodyAgain(email))
}

/** The request that sends it once more. Attachments and headers are not part of what the API gives back. */
export function bodyAgain(email: Email): NonNullable<CallInput<"POST /v1/emails">["body"]> {
  const { from, to, cc, bcc, replyTo, subject, html, text, tags, metadata, testMode } = email
  const all = { cc, bcc, replyTo, text, html, tags, metadata, testMode: testMode || undefined }
  return { from, to, subject, ...defined(all), ...kindOf(email) }
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as typeof fields
}

/** A first email, ready to be pasted. */
export function firstCurl(baseUrl: string, from: string, to: string): string {
  return sendCommand(baseUrl, { from, to, subject: "Hello from Mailroom", text: "It works." })
}

/** A send of this body, for a shell. */
export function sendCommand(baseUrl: string, body: object, path = "/v1/emails"): string {
  return postCurl(`${baseUrl}${path}`, body, 2)
}
