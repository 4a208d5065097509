import { createParser, parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server"
import { dayMs } from "@/lib/platform/time"
import type { EmailStatus } from "@/lib/emails/message-rules"
import { statusNames } from "@/components/emails/status"

/** A day of the calendar as `2026-11-21`; anything else in the address is as if it were not there. */
const parseAsDay = createParser({ parse: (text) => (isDay(text) ? text : null), serialize: String })

/** What the address of the list says, for the server and the browser. */
export const emailFilters = {
  page: parseAsInteger.withDefault(1),
  status: parseAsArrayOf(parseAsStringLiteral(statusNames)).withDefault([]),
  search: parseAsString.withDefault(""),
  domain: parseAsString.withDefault(""),
  topic: parseAsString.withDefault(""),
  broadcast: parseAsString.withDefault(""),
  tag: parseAsString.withDefault(""),
  since: parseAsDay.withDefault(""),
  until: parseAsDay.withDefault(""),
  peek: parseAsString.withDefault(""),
}

export type EmailFilters = {
  page: number
  /** Emails with one of these; all where there are none. */
  status: EmailStatus[]
  /** Words that occur anywhere in the email. */
  search: string
  /** `dom_…` */
  domain: string
  /** `top_…` */
  topic: string
  /** `bc_…` */
  broadcast: string
  tag: string
  /** First day, in UTC like quotas and figures. */
  since: string
  /** Last day, itself included. */
  until: string
  /** `email_…`: shown beside the list. */
  peek: string
}

/** Emails of one page of the list. */
export const pageSize = 50

/** What chooses among the emails, as parameters of the API, without the status. */
export function toChoice({ search, domain, topic, broadcast, tag, since, until }: EmailFilters) {
  return {
    search,
    domainId: domain,
    topicId: topic,
    broadcastId: broadcast,
    tag,
    after: since && startOf(since),
    before: until && startOf(until, 1),
  }
}

/** One page of the list, as parameters of the API. */
export function emailListQuery(filters: EmailFilters) {
  const { page, status } = filters
  return { page, size: pageSize, ...toChoice(filters), ...(status.length ? { status: status.join(",") } : {}) }
}

/** Whether the list shows emails of this status. */
export function isChosen({ status: chosen }: Pick<EmailFilters, "status">, status: EmailStatus): boolean {
  return chosen.length === 0 || chosen.includes(status)
}

/** How many filters are set in the folded part. */
export function moreCount({ domain, topic, broadcast, tag, since, until }: EmailFilters): number {
  return [domain, topic, broadcast, tag, since || until].filter(Boolean).length
}

export function hasEmailFilters(filters: EmailFilters): boolean {
  return filters.status.length > 0 || Boolean(filters.search) || moreCount(filters) > 0
}

function startOf(day: string, daysLater = 0): string {
  return new Date(Date.parse(day) + daysLater * dayMs).toISOString()
}

function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  )
}
