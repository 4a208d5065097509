import { z } from "zod"
import { parseAddress } from "@/lib/addresses/address"
import { type EmailStatus, emailStatuses, labelKeyCharsMax, labelValueCharsMax } from "@/lib/emails/message-rules"
import { searchCharsMax, idsLike } from "@/lib/emails/search/rules"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId } from "@/lib/platform/ids"
import { id, timestamp } from "@/lib/platform/schema"

export type EmailFilter = {
  /** It has one of these. */
  statuses?: readonly string[]
  /** Canonical address. */
  recipient?: string
  /** Part of the From header. */
  from?: string
  /** Part of the subject. */
  subject?: string
  /** uuid */
  domainId?: string
  /** uuid */
  topicId?: string
  /** uuid */
  broadcastId?: string
  /** Name, or `name:value`. */
  tag?: string
  after?: Date
  before?: Date
  /** Words, each of which occurs somewhere in the email; `searchEmails` finds them. */
  search?: string
  /** uuids: the first and the last. */
  between?: { first: string; last: string }
  /** uuids */
  ids?: readonly string[]
}

/** The query parameters that choose among the emails of a project. */
export function emailFilterQuery() {
  return {
    status: statuses.optional(),
    recipient: text().describe("Exact address among to, cc and bcc."),
    from: text().describe("Part of the sender."),
    subject: text().describe("Part of the subject."),
    domainId: id("dom").optional().describe("Sending domain."),
    topicId: id("top").optional().describe("Topic."),
    broadcastId: id("bc").optional().describe("Broadcast."),
    tag: text(labelKeyCharsMax + 1 + labelValueCharsMax).describe(
      "A tag's name, or its name and value as `name:value`.",
    ),
    after: timestamp.optional().describe("Sent at or after."),
    before: timestamp.optional().describe("Sent before."),
    ...emailSearchQuery(),
    ids: z
      .string()
      .max(33 * selectedMax)
      .regex(/^email_[0-9a-z]{26}(,email_[0-9a-z]{26})*$/, `Up to ${selectedMax} ids of emails, separated by commas.`)
      .optional()
      .describe(`Additive: up to ${selectedMax} ids of emails, separated by commas.`),
  }
}

const text = (max = 320) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\0]*$/, "Holds no NUL character.")
    .optional()

const anyStatus = `(${emailStatuses.join("|")})`

/** One status or several, as a list of them within. */
const statuses = z
  .codec(
    z
      .string()
      .max(400)
      .regex(
        new RegExp(`^${anyStatus}(,${anyStatus})*$`),
        `One or several of ${emailStatuses.join(", ")}, separated by commas.`,
      ),
    z.array(z.enum(emailStatuses)),
    {
      decode: (text) => [...new Set(text.split(",") as EmailStatus[])],
      encode: (list) => list.join(","),
    },
  )
  .meta({
    type: "string",
    pattern: `^${anyStatus}(,${anyStatus})*$`,
    description: `One status, or several separated by commas: ${emailStatuses.map((status) => `\`${status}\``).join(", ")}.`,
  })

/** Emails that can be named together. */
export const selectedMax = 100

/** The one field that looks for everything. */
export function emailSearchQuery() {
  return {
    search: z
      .string()
      .trim()
      .min(1)
      .max(searchCharsMax)
      .regex(/^[^\0]*$/, "Holds no NUL character.")
      .optional()
      .describe(
        "Additive: words that must each occur in the recipients, their names, the subject, the sender or a tag as `name:value`. Case and accents are ignored, and one character is enough. Or an email id, or the beginning of one, starting with `email_`. Only the first 4,000 characters of an email with very many recipients are searched.",
      ),
  }
}

/** The filter of these parameters; a recipient that is not an address matches nothing. */
export function filterOf(
  query: Omit<EmailFilter, "ids" | "statuses"> & { status?: string[] | undefined; ids?: string | undefined },
): EmailFilter {
  const {
    status: statuses,
    from,
    subject,
    domainId,
    topicId,
    broadcastId,
    tag,
    after,
    before,
    recipient,
    search,
    ids,
  } = query
  const address = recipient === undefined ? undefined : parseAddress(recipient)
  const between = search === undefined ? null : idsLike(search)
  return {
    statuses,
    from,
    subject,
    domainId,
    topicId,
    broadcastId,
    tag,
    after,
    before,
    recipient: address && (address.ok ? address.canonical : ""),
    ...(between ? { between } : { search }),
    ids: ids?.split(",").flatMap((each) => decodeId("email", each) ?? []),
  }
}

// Conditions of SQL

/** A condition over `emails e`, with the values of its parameters; $1 is the project. */
export type Conditions = { where: string; values: unknown[] }

/** The statuses of emails that reached nobody. They are few, and the index deliveries_not_reached finds them. */
const notReached = ["bounced", "failed", "rejected", "suppressed", "cancelled", "test", "indeterminate"]

/** Whether an index finds the emails that have one of these statuses. */
export function areRare(statuses: readonly string[]): boolean {
  return statuses.every((status) => notReached.includes(status))
}

export function conditions(scope: Scope, filter: EmailFilter): Conditions {
  const values: unknown[] = [scope.project.id]
  const where = ["e.project_id = $1"]
  const add = (condition: (place: string) => string, value: unknown) => {
    values.push(value)
    where.push(condition(`$${values.length}`))
  }
  const { statuses, recipient, from, subject, domainId, topicId, broadcastId, tag, after, before, between, ids } =
    filter
  if (statuses !== undefined) {
    add((at) => (areRare(statuses) ? rareStatus(at) : `e.status = ANY (${at}::text[])`), statuses)
  }
  if (recipient !== undefined) {
    add(
      (at) => `e.id IN (SELECT d.email_id FROM deliveries d WHERE d.project_id = $1 AND d.canonical = ${at})`,
      recipient,
    )
  }
  if (from !== undefined) add((at) => `strpos(lower(e.from_header), lower(${at})) > 0`, from)
  if (subject !== undefined) add((at) => `strpos(lower(e.subject), lower(${at})) > 0`, subject)
  if (domainId !== undefined) add((at) => `e.domain_id = ${at}`, domainId)
  if (topicId !== undefined) add((at) => `e.topic_id = ${at}`, topicId)
  if (broadcastId !== undefined) add((at) => `e.broadcast_id = ${at}`, broadcastId)
  if (tag !== undefined) add((at) => tagCondition(tag, at), tag)
  if (after !== undefined) add((at) => `e.id >= first_id_at(${at})`, after)
  if (before !== undefined) add((at) => `e.id < first_id_at(${at})`, before)
  if (between !== undefined) {
    add((at) => `e.id >= ${at}`, between.first)
    add((at) => `e.id <= ${at}`, between.last)
  }
  if (ids !== undefined) add((at) => `e.id = ANY (${at}::uuid[])`, ids)
  return { where: where.join(" AND "), values }
}

/** An email has the status of one of its deliveries. */
function rareStatus(at: string): string {
  const one = `ANY (${at}::text[])`
  return `e.status = ${one} AND e.id IN (SELECT d.email_id FROM deliveries d WHERE d.project_id = $1 AND d.status = ${one})`
}

/** A name may contain colons: then the whole of it matches, too. */
function tagCondition(tag: string, at: string): string {
  const named = `e.tags ? ${at}`
  const colon = tag.indexOf(":")
  if (colon < 1) return named
  // JavaScript counts some characters twice that the database counts once.
  const name = [...tag.slice(0, colon)].length
  return `(${named} OR e.tags @> jsonb_build_object(left(${at}, ${name}), substr(${at}, ${name + 2})))`
}
