import { addedTo, takenOf } from "@/lib/access/limits/data"
import { dropContent, type LargeContent, storeContent } from "@/lib/emails/content/data"
import {
  type Accepted,
  acceptTogether,
  allowanceTaken,
  findReplays,
  type AcceptedMessage,
  type Send,
  type Author,
  messageRow,
  recipientRow,
} from "@/lib/emails/send/data"
import { isUnavailable, lockNotAvailable, sqlState, uniqueViolation } from "@/lib/platform/database/sql-errors"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import type { RateCount, Taken } from "@/lib/platform/http/scope"
import { createShare } from "@/lib/platform/jobs/turns"
import { createSlots } from "@/lib/platform/jobs/slots"
import { log } from "@/lib/platform/log"
import { z } from "zod"
import {
  dailyQuotaExceeded,
  domainNotVerified,
  idempotencyConflict,
  projectSuspended,
  sendRateExceeded,
} from "@/lib/emails/schema"
import type { Problem } from "@/lib/platform/http/problem"
import { id, int32, timestamp } from "@/lib/platform/schema"
import { storageFull } from "@/lib/projects/schema"
import type { Address } from "@/lib/addresses/address"
import { bytesOf } from "@/lib/emails/send/plan"
import type { ComposedEmail } from "@/lib/emails/send/schema"
import { createContactComposer, type FilledTemplate, shownContactKeys } from "@/lib/emails/templates/compose"
import type { contactReader } from "@/lib/emails/templates/data"
import { newId } from "@/lib/platform/ids"

/** Sends that share one statement at most, and the bytes of their bodies. */
const groupSendsMax = 200
const groupBytesMax = 2 ** 20
/** Statements of one project under way in this process. */
const statementsMax = 2
/** Each failed attempt is another accept that succeeded. */
const attemptsMax = 10

/** Large contents that are written at once, one of each project: the other connections stay free for what is small. */
const storedAtOnceMax = 2
/** Bytes of large contents that wait in this process to be written; beyond, a send is asked to come again. */
const storingBytesMax = 128 * 2 ** 20

/** Another request holds the same claim, or the project's quota row, for longer than the lock timeout. */
class ClaimHeld extends Error {}

type Waiter = { send: Send; count?: RateCount; resolve: (accepted: Accepted) => void; reject: (error: unknown) => void }
type Line = { waiting: Waiter[]; underWay: number; keysUnderWay: Set<string>; scheduled?: NodeJS.Immediate }

const lines = new Map<string, Line>()

const inSlot = createSlots(storedAtOnceMax)
const ofProject = createShare()
let storingBytes = 0

/**
 * Accepts one send durably. Large content is stored first, before anything is locked, and removed if the send is refused.
 * Counts the request of `count` with it, if that is still to be done.
 * @throws ClaimHeld when it did not get its lock within the lock timeout (2 s), Problem 429 when the request is over its rate limit
 */
export async function accept(projectId: string, send: Send, count?: RateCount): Promise<Accepted> {
  if (!send.large) return acceptInLine(projectId, send, count)
  await count?.take()
  if (!(await storeLimited(projectId, send.large))) return replayOr({ outcome: "storage_full" }, projectId, send.key)
  // After an error it is unknown whether the send was stored; the sweep finds out.
  const accepted = await acceptInLine(projectId, send)
  if (accepted.outcome !== "accepted") await removeContent(projectId, send.large.id)
  return accepted
}

async function replayOr(refused: Accepted, projectId: string, key: string | null): Promise<Accepted> {
  return (key === null ? undefined : (await findReplays(projectId, [key])).get(key)) ?? refused
}

/** False where the project may not store that much. */
async function storeLimited(projectId: string, content: LargeContent): Promise<boolean> {
  if (storingBytes > 0 && storingBytes + content.bytes > storingBytesMax) {
    throw serviceUnavailable("Too many large messages arrive at once. Send it again in a moment.", {
      retryAfterSeconds: 1,
    })
  }
  storingBytes += content.bytes
  try {
    return await ofProject(projectId, () => inSlot(() => storeContent(projectId, content)))
  } finally {
    storingBytes -= content.bytes
  }
}

async function removeContent(projectId: string, id: string) {
  try {
    await dropContent(projectId, id)
  } catch (error) {
    log.warn({ err: error }, "the content of a refused send could not be removed; the sweep removes it")
  }
}

/**
 * Sends of one project that wait in this process share one call of `accept_emails`: no timer, so a lone send pays nothing
 * for it.
 */
function acceptInLine(projectId: string, send: Send, count?: RateCount): Promise<Accepted> {
  const line: Line = lines.get(projectId) ?? { waiting: [], underWay: 0, keysUnderWay: new Set<string>() }
  lines.set(projectId, line)
  return new Promise((resolve, reject) => {
    line.waiting.push({ send, count, resolve, reject })
    // After all I/O of this round of the event loop: concurrent sends and the items of a batch share one statement.
    line.scheduled ??= setImmediate(() => {
      line.scheduled = undefined
      for (let free = statementsMax - line.underWay; free > 0; free--) void serveLine(projectId, line)
    })
  })
}

async function serveLine(projectId: string, line: Line) {
  if (!line.waiting.length || line.underWay >= statementsMax) return
  const group = takeGroup(line)
  if (!group.length) return
  line.underWay++
  await acceptGroup(projectId, line, group)
  line.underWay--
  for (const { send } of group) if (send.key !== null) line.keysUnderWay.delete(send.key)
  if (line.waiting.length) void serveLine(projectId, line)
  else if (!line.underWay) lines.delete(projectId)
}

/** The next group: bounded, and with no key of one under way; a repeat of a key waits for the outcome of the first. */
function takeGroup(line: Line): Waiter[] {
  const group: Waiter[] = []
  const later: Waiter[] = []
  const { keysUnderWay } = line
  let bytes = 0
  for (const waiter of line.waiting) {
    const { key } = waiter.send
    const fits = group.length < groupSendsMax && (bytes + waiter.send.bytes <= groupBytesMax || !group.length)
    if (!fits || (key !== null && keysUnderWay.has(key))) {
      later.push(waiter)
      continue
    }
    if (key !== null) keysUnderWay.add(key)
    bytes += waiter.send.bytes
    group.push(waiter)
  }
  line.waiting = later
  return group
}

async function acceptGroup(projectId: string, line: Line, group: Waiter[]) {
  try {
    const accepted = await acceptAndCount(projectId, group)
    group.forEach((waiter, index) => answer(line, waiter, accepted[index] as Accepted))
  } catch (error) {
    // An unavailable database fails all of them; one bad row fails the statement, so each is accepted on its own.
    if (isUnavailable(error))
      for (const waiter of group.flatMap((one) => [one, ...takeRepeats(line, one)])) waiter.reject(heldUp(error))
    else
      for (const waiter of group)
        if (group.length > 1 || isOvertaken(error)) await acceptAlone(projectId, waiter)
        else waiter.reject(error)
  }
}

/** Also counts the requests that are still to be counted. @throws Problem 429 for a lone one over its limit */
async function acceptAndCount(projectId: string, group: readonly Waiter[]): Promise<Accepted[]> {
  const uncounted = group.flatMap(({ count }) => (count?.due ? [{ count, window: count.due }] : []))
  const windows = uncounted.map(({ window }) => window)
  const sends = group.map(({ send }) => send)
  const { accepted, counted } = await acceptTogether(projectId, sends, addedTo(windows))
  const taken = takenOf(windows, counted)
  for (const [at, { count }] of uncounted.entries()) count.settle(taken[at] as Taken)
  return accepted
}

/** Repeats of an accepted key get the same answer; after a refusal each is decided on its own. */
function answer(line: Line, waiter: Waiter, accepted: Accepted) {
  waiter.resolve(accepted)
  if (!("messages" in accepted)) return
  for (const repeat of takeRepeats(line, waiter)) repeat.resolve({ outcome: "replayed", messages: accepted.messages })
}

function takeRepeats(line: Line, { send: { key } }: Waiter): Waiter[] {
  if (key === null) return []
  const repeats = line.waiting.filter(({ send }) => send.key === key)
  if (repeats.length) line.waiting = line.waiting.filter(({ send }) => send.key !== key)
  return repeats
}

function heldUp(error: unknown): unknown {
  return sqlState(error) === lockNotAvailable ? new ClaimHeld() : error
}

async function acceptAlone(projectId: string, waiter: Waiter, attempts = attemptsMax) {
  try {
    const [accepted] = await acceptAndCount(projectId, [waiter])
    waiter.resolve(accepted as Accepted)
  } catch (error) {
    if (attempts > 1 && isOvertaken(error)) return acceptAlone(projectId, waiter, attempts - 1)
    waiter.reject(heldUp(error))
  }
}

/**
 * Another accept has claimed the key in between, or taken what was left of an allowance: now it is known, and decided anew. So is
 * each of several requests of which one is over its rate limit.
 */
function isOvertaken(error: unknown): boolean {
  const state = sqlState(error)
  return state === uniqueViolation || state === allowanceTaken
}

const itemFields = {
  id: id("email").optional(),
  status: z.string().optional(),
  messageId: z.string().optional(),
  scheduledAt: timestamp.optional(),
  createdAt: timestamp.optional(),
}

const ProblemShape = z.record(z.string(), z.unknown())

export const BatchItem = z
  .strictObject({
    index: int32,
    ...itemFields,
    error: z.string().optional().describe("The problem's code, a colon and its detail."),
    problem: ProblemShape.optional().describe("Additive: the whole problem document."),
  })
  .meta({ id: "BatchSendItemResponse" })

export const SentEmail = z
  .strictObject({
    id: id("email"),
    status: z.string(),
    messageId: z.string().optional(),
    scheduledAt: timestamp.optional(),
    createdAt: timestamp,
    audienceId: z.string().optional(),
    messages: z.array(BatchItem).optional().describe("One per recipient, if the request created several messages."),
  })
  .meta({ id: "SendEmailResponse" })

export type SentEmail = z.output<typeof SentEmail>

/** An envelope of items; each item is judged on its own. */
export const NewBatch = z
  .strictObject({
    items: z
      .array(z.record(z.string(), z.unknown()))
      .min(1, "Must hold an item.")
      .max(100, "May hold 100 items.")
      .meta({ items: { $ref: "#/components/schemas/SendEmailRequest" } }),
  })
  .meta({ id: "BatchSendRequest" })

export const SentBatch = z.strictObject({ results: z.array(BatchItem) }).meta({ id: "BatchSendResponse" })

type Refused = Exclude<Accepted, { messages: unknown }>

/** The problem for an outcome other than acceptance. */
export function refusalOf(refused: Refused): Problem {
  if (refused.outcome === "project_suspended") return projectSuspended()
  if (refused.outcome === "domain_not_verified") return domainNotVerified()
  if (refused.outcome === "storage_full") return storageFull()
  const kind = refused.outcome === "daily_exceeded" ? dailyQuotaExceeded : sendRateExceeded
  return kind(undefined, { retryAfterSeconds: "retryAfter" in refused ? refused.retryAfter : 1 })
}

/** A claim that is held by another request is the caller's conflict when they gave a key, else our being busy. */
export function heldOr(error: unknown, key: string | null): unknown {
  if (!(error instanceof ClaimHeld)) return error
  return (key === null ? serviceUnavailable : idempotencyConflict)(undefined, { retryAfterSeconds: 1 })
}

/**
 * The answer to a send: the first message that was not suppressed on top, all of them below when there are several or
 * the send went to an audience.
 */
export function sentEmail(messages: readonly AcceptedMessage[], audienceId: string | null = null): SentEmail {
  const leading = messages.find(({ status }) => status !== "suppressed") ?? messages[0]
  if (!leading) throw new Error("An accepted send has no message.")
  return {
    ...fieldsOf(leading),
    ...(audienceId === null ? {} : { audienceId }),
    ...(messages.length > 1 || audienceId !== null
      ? { messages: messages.map((message, index) => ({ index, ...fieldsOf(message) })) }
      : {}),
  }
}

function fieldsOf({ id, messageId, status, scheduledAt, createdAt }: AcceptedMessage) {
  return { id, messageId, status, createdAt, ...(scheduledAt ? { scheduledAt } : {}) }
}

/** What all emails of a broadcast have in common; their bodies and attachments are stored once, under `contentId`. */
export type BroadcastMail = {
  broadcastId: string
  contentId: string
  author: Author
  email: ComposedEmail
  /** Where each recipient gets a text of their own; `email` is that of a contact of whom nothing is known. */
  personal: Personal | null
}

type ReadContact = Awaited<ReturnType<typeof contactReader>>

export type Personal = {
  template: FilledTemplate
  render: (email: string, contact: BroadcastRecipient["contact"]) => { subject: string; values: Record<string, string> }
}

/** The subject for each recipient, and the values of the contact with which the bodies are rendered when the email is sent. */
export function personalOf(template: FilledTemplate, valuesOf: ReadContact): Personal {
  const { subject } = createContactComposer(template)
  const shown = new Set(shownContactKeys(template.source))
  return {
    template,
    render: (email, contact) => {
      const values = new Map([...valuesOf(email, contact)].filter(([key]) => shown.has(key)))
      return { subject: subject(values), values: Object.fromEntries(values) }
    },
  }
}

type BroadcastRecipient = {
  key: string
  to: Address
  /** The topic that this email belongs to, and the public id of the topic or segment through which it is sent. */
  topicId: string | null
  audienceId: string | null
  /** What an email that is rendered for each recipient shows of theirs; null for an address that is no contact. */
  contact: Parameters<ReadContact>[1]
}

/** Its place in the group of the shared content: never the first, whose body would be its own. */
const idx = 1

/** The send to one recipient of a broadcast, with the link and the headers to unsubscribe. */
export function broadcastSend(
  mail: BroadcastMail,
  { key, to, topicId, audienceId, contact }: BroadcastRecipient,
): Send {
  const { author, broadcastId, contentId, personal } = mail
  const own = personal?.render(to.canonical, contact)
  const email = own ? { ...mail.email, subject: own.subject } : mail.email
  const id = newId()
  const group = [{ ...to, role: "to" as const }]
  const decided = { unsubscribe: true, topicId, audienceId, broadcastId, small: false }
  const message = {
    id,
    idx,
    groupId: contentId,
    group,
    scheduledAt: null,
    contactValues: own?.values,
  }
  const bytes = bytesOf(email)
  return {
    key,
    domain: email.from.domain,
    free: email.testMode,
    bytes: 0,
    totalBytes: bytes,
    large: null,
    messages: [messageRow(author, email, { ...decided, bytes }, message)],
    recipients: group.map((one) => recipientRow(one, id, topicId)),
  }
}

/** Stores the content that the emails of a broadcast share. Its id; null where the project may not store that much. */
export async function storeBroadcastContent(
  projectId: string,
  email: ComposedEmail,
  personal: Personal | null,
): Promise<string | null> {
  const id = newId()
  const { text = null, html = null, attachments: files = [] } = email
  const content = { id, text, html, files, bytes: bytesOf(email), template: personal?.template }
  return (await storeContent(projectId, content, { inUse: true })) ? id : null
}
