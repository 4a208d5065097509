import { parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server"
import { midnightOf, parseAsDay } from "@/components/data/day-filters"
import type { EmailStatus } from "@/lib/emails/message-rules"
import { statusNames } from "@/components/emails/status"

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
  /** First day, of the zone in which times are written. */
  since: string
  /** Last day, itself included. */
  until: string
  /** `email_…`: shown beside the list. */
  peek: string
}

/** Emails of one page of the list. */
export const pageSize = 50

/** What chooses among the emails, as parameters of the API, without the status. */
export function toChoice({ search, domain, topic, broadcast, tag, since, until }: EmailFilters, timeZone: string) {
  return {
    search,
    domainId: domain,
    topicId: topic,
    broadcastId: broadcast,
    tag,
    after: since && midnightOf(since, timeZone),
    before: until && midnightOf(until, timeZone, 1),
  }
}

/** One page of the list, as parameters of the API. */
export function emailListQuery(filters: EmailFilters, timeZone: string) {
  const { page, status } = filters
  return {
    page,
    size: pageSize,
    ...toChoice(filters, timeZone),
    ...(status.length ? { status: status.join(",") } : {}),
  }
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
