import type { CallInput } from "@/components/data/call"
import { postCurl } from "@/components/data/curl"
import { type Email, allDomainsQuery } from "@/components/emails/queries"
import { useQuery } from "@tanstack/react-query"
import { useMay } from "@/components/access/powers"

/** How to send this email again from a terminal. */
export function curlOf(email: Email, baseUrl: string): string {
  return sendCommand(baseUrl, bodyAgain(email))
}

/** The request that sends it once more. Attachments and headers are not part of what the API gives back. */
export function bodyAgain(email: Email): NonNullable<CallInput<"POST /v1/emails">["body"]> {
  const { from, to, cc, bcc, replyTo, subject, html, text, tags, metadata, testMode } = email
  const all = { cc, bcc, replyTo, text, html, tags, metadata, testMode: testMode || undefined }
  return { from, to, subject, ...defined(all), ...sampleFields(email) }
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

type Kind = Pick<Email, "topicId" | "sendTimeCategory" | "trackingSettings">

/** The fields of a request whose email is of the same kind as this one, without defaults. */
export function sampleFields({
  topicId,
  sendTimeCategory = "transactional",
  trackingSettings = {},
  to,
  cc = [],
  bcc = [],
}: Email): Kind {
  const { unsubscribeTracking, ...tracking } = trackingSettings
  const implied = topicId !== undefined || sendTimeCategory !== "transactional"
  // A message that several people share never carries the header, whatever had been asked for.
  const shared = to.length + cc.length + bcc.length > 1
  const settings =
    unsubscribeTracking === undefined || unsubscribeTracking === implied || shared ? tracking : trackingSettings
  return {
    ...(topicId === undefined ? {} : { topicId }),
    ...(sendTimeCategory === "transactional" ? {} : { sendTimeCategory }),
    ...(Object.keys(settings).length ? { trackingSettings: settings } : {}),
  }
}

export type FirstSending = {
  /** Where the API is. */
  baseUrl: string
  /** An address at which a first email can arrive without harm. */
  recipient: string
}

/**
 * The command for an email from a domain of this project that may send; from a made-up one while there is none. Undefined for
 * whoever may not send.
 */
export function useFirstCurl(projectId: string, { baseUrl, recipient }: FirstSending): string | undefined {
  const may = useMay("emails:send")
  const { data } = useQuery(allDomainsQuery(projectId))
  const domains = data?.data ?? []
  const domain = domains.find(({ status }) => status === "verified") ?? domains[0]
  if (!may) return undefined
  return firstCurl(baseUrl, `hello@${domain?.domain ?? "your-domain.test"}`, recipient)
}
