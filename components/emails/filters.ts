import { createParser, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server"
import type { EmailStatus } from "@/lib/emails/message-rules"
import { statusNames } from "@/components/emails/status"

/** A day of the calendar as `2026-11-21`; anything else in the address is as if it were not there. */
const parseAsDay = createParser({ parse: (text) => (isDay(text) ? text : null), serialize: String })

/** What the address of the list says, for the server and the browser. */
export const emailFilters = {
  page: parseAsInteger.withDefault(1),
  status: parseAsStringLiteral(statusNames),
  recipient: parseAsString.withDefault(""),
  from: parseAsString.withDefault(""),
  subject: parseAsString.withDefault(""),
  domain: parseAsString.withDefault(""),
  topic: parseAsString.withDefault(""),
  tag: parseAsString.withDefault(""),
  since: parseAsDay.withDefault(""),
  until: parseAsDay.withDefault(""),
}

export type EmailFilters = {
  page: number
  status: EmailStatus | null
  recipient: string
  from: string
  subject: string
  /** `dom_…` */
  domain: string
  /** `top_…` */
  topic: string
  tag: string
  /** First day, in UTC like quotas and figures. */
  since: string
  /** Last day, itself included. */
  until: string
}

/** The same as parameters of the API. */
export function toListQuery({ page, status, domain, topic, since, until, ...texts }: EmailFilters) {
  return {
    page,
    ...texts,
    domainId: domain,
    topicId: topic,
    after: since && startOf(since),
    before: until && startOf(until, 1),
    ...(status ? { status } : {}),
  }
}

/** How many filters are set in the folded part. */
export function moreCount({ domain, topic, tag, since, until }: EmailFilters): number {
  return [domain, topic, tag, since || until].filter(Boolean).length
}

export function isFiltered(filters: EmailFilters): boolean {
  const { status, recipient, from, subject } = filters
  return Boolean(status || recipient || from || subject) || moreCount(filters) > 0
}

const dayMs = 86_400_000

function startOf(day: string, daysLater = 0): string {
  return new Date(Date.parse(day) + daysLater * dayMs).toISOString()
}

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  )
}
