import { type ContactValues, createComposer, shownContactKeys, valueFaults } from "@/lib/emails/templates/compose"
import { findPublished, type PublishedTemplate, valuesOfAddress } from "@/lib/emails/templates/data"
import type { TemplateRef } from "@/lib/emails/templates/schema"
import type { ComposedEmail, NewEmail } from "@/lib/emails/send/schema"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { fieldsInvalid, requestTooLarge, serviceUnavailable } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId, newId } from "@/lib/platform/ids"
import { requireSender } from "@/lib/access/authorize"
import { type Address, parseAddress } from "@/lib/addresses/address"
import { unsubscribeHeadersOf } from "@/lib/emails/header-rules"
import {
  authorOf,
  type Decided,
  messageRow,
  type Recipient,
  recipientRow,
  type Send,
  type AudienceRef,
  findOpeningHours,
  findSendable,
  topicExists,
} from "@/lib/emails/send/data"
import { attachmentBytesMax, requestBytesMax } from "@/lib/emails/message-rules"
import { simulatorFault } from "@/lib/emails/simulator"
import { bodyBytesOf } from "@/lib/projects/quota/data"
import { audienceEmpty, audienceTooLarge } from "@/lib/emails/schema"
import { type SendingWindow, optimalTime, optimalWindow, scheduleOf, summed } from "@/lib/emails/schedule/rules"

/** The email with the subject and bodies of its template. @throws requestInvalid with every fault of the template's values */
export async function composeEmail(scope: Scope, email: NewEmail): Promise<ComposedEmail> {
  const { template, ...rest } = email
  // The schema demands a subject of every email without a template.
  if (template === undefined) return email as ComposedEmail
  const source = await publishedFor(scope, template)
  const faults: FieldProblem[] = valueFaults(source.variables, template.variables, "/template/variables")
  const [to, second] = [...email.to, ...(email.cc ?? []), ...(email.bcc ?? [])]
  let contact: ContactValues = new Map()
  if (shownContactKeys(source).length > 0) {
    if (!to || second || "audience" in to) {
      const detail = "The template shows fields of the contact, so it goes to one address at a time. Use a batch."
      faults.push({ pointer: "/to", detail })
    } else {
      contact = await valuesOfAddress(scope, to.canonical)
    }
  }
  if (faults.length) throw fieldsInvalid(faults)
  const composed = createComposer(source, source.variables, template.variables)(contact)
  if ("faults" in composed) throw fieldsInvalid(composed.faults.map((detail) => ({ pointer: "/template", detail })))
  if (composed.html === undefined && composed.text === undefined)
    throw fieldsInvalid([{ pointer: "/template", detail: "Neither html nor text has any content with these values." }])
  return { ...rest, ...composed }
}

/** The published version that sends use. @throws requestInvalid where there is none */
export async function publishedFor(scope: Scope, { id, name }: TemplateRef): Promise<PublishedTemplate> {
  const pointer = id === undefined ? "/template/name" : "/template/id"
  const decoded = id === undefined ? null : decodeId("tpl", id)
  const where = decoded === null ? (name === undefined ? null : { name }) : { id: decoded }
  const found = where && (await findPublished(scope, where))
  if (!found) throw fieldsInvalid([{ pointer, detail: "Names no template of this project." }])
  if (found === "unpublished") throw fieldsInvalid([{ pointer, detail: "The template has not been published yet." }])
  return found
}

/** Bodies up to this size travel with the first message of their send, unless attachments are shared by several. */
const smallBytesMax = 64 * 1024

/**
 * Decides what a request becomes: one message with cc or bcc or a single address, else one message per address; repeats
 * of an address are dropped. Mail to a topic or segment is one message per member.
 * @throws senderNotAllowed, requestInvalid with every fault that the form alone could not show, requestTooLarge for attachments
 */
export async function planSend(scope: Scope, email: ComposedEmail, targets: Targets, now: Date): Promise<Send> {
  requireSender(scope, email.from.domain)
  const faults: FieldProblem[] = [...targets.faults]
  const isOptimal = email.scheduledAt === "optimal"
  const window = optimalWindow(email, now, faults)
  const scheduledAt = isOptimal ? null : scheduleOf(email, now, faults)
  const given = recipientsOf(email, scope.project.maxRecipients, faults)
  if (faults.length) throw fieldsInvalid(faults)
  const bodyBytes = bodyBytesOf(email)
  const bytes = bodyBytes + attachedBytesOf(email)

  const recipients = targets.audience?.members().map((member) => ({ ...member, role: "to" as const })) ?? given
  const shared = recipients.some(({ role }) => role !== "to") || recipients.length === 1
  const groups = shared ? [recipients] : recipients.map((recipient) => [recipient])
  const ids = groups.map(newId)
  const totalBytes = bytes + bodyBytes * (groups.length - 1)
  refuseTooLarge(totalBytes)
  const single = groups.every((group) => group.length === 1)
  const unsubscribe = single && wantsUnsubscribe(email, targets)
  if (unsubscribe) refuseTheirUnsubscribe(email)
  const files = email.attachments ?? []
  const small = bytes <= smallBytesMax && (files.length === 0 || groups.length === 1)
  const decided: Decided = {
    ...{ bytes, unsubscribe, small, broadcastId: null },
    topicId: targets.topicId,
    audienceId: targets.audience?.id ?? null,
  }
  const author = authorOf(scope)
  const [groupId = ""] = ids
  const times = window ? await optimalTimes(scope, groups, window, now) : []
  const messages = groups.map((group, idx) => ({
    ...{ id: ids[idx] ?? "", idx, groupId, group },
    scheduledAt: times[idx] ?? scheduledAt,
  }))
  return {
    key: email.idempotencyKey ?? null,
    domain: email.from.domain,
    free: email.testMode || scheduledAt !== null || window !== null,
    bytes: small ? bytes : 0,
    totalBytes,
    large: small ? null : { id: groupId, text: email.text ?? null, html: email.html ?? null, files, bytes },
    messages: messages.map((message) => messageRow(author, email, decided, message)),
    ...(small ? { text: email.text, html: email.html } : {}),
    recipients: messages.flatMap(({ id, group }) => group.map((one) => recipientRow(one, id, targets.topicId))),
  }
}

/** The time of each message: when its recipients have opened most, inside the window. */
async function optimalTimes(
  scope: Scope,
  groups: readonly Recipient[][],
  window: SendingWindow,
  now: Date,
): Promise<Date[]> {
  const hours = await findOpeningHours(
    scope,
    groups.flatMap((group) => group.map(({ canonical }) => canonical)),
  )
  const ofGroup = (group: readonly Recipient[]) => summed(group.map(({ canonical }) => hours.get(canonical) ?? []))
  return groups.map((group) => optimalTime(ofGroup(group), window, now))
}

function recipientsOf(email: ComposedEmail, most: number, faults: FieldProblem[]): Recipient[] {
  const seen = new Set<string>()
  const distinct: Recipient[] = []
  const lists = { to: email.to, cc: email.cc ?? [], bcc: email.bcc ?? [] }
  for (const role of ["to", "cc", "bcc"] as const) {
    for (const [index, one] of lists[role].entries()) {
      if (!("audience" in one) && !seen.has(one.canonical)) {
        seen.add(one.canonical)
        distinct.push({ ...one, role })
        const fault = simulatorFault(one.canonical)
        if (fault) faults.push({ pointer: `/${role}/${index}`, detail: fault })
        if (seen.size === most + 1) {
          faults.push({ pointer: `/${role}/${index}`, detail: `to, cc and bcc together may hold ${most} addresses.` })
        }
      }
    }
  }
  return distinct
}

/** @throws requestTooLarge before the database is asked for anything */
export function refuseTooLarge(totalBytes: number): void {
  if (totalBytes <= requestBytesMax) return
  throw requestTooLarge(
    `The messages of one request may hold ${requestBytesMax} bytes together, the bodies counted once for each recipient's message. Send to fewer recipients at once, or smaller bodies.`,
  )
}

/** Bodies and decoded attachments, in bytes. @throws requestTooLarge */
export function bytesOf(email: Pick<ComposedEmail, "attachments" | "html" | "text">): number {
  return attachedBytesOf(email) + bodyBytesOf(email)
}

/** @throws requestTooLarge */
function attachedBytesOf({ attachments = [] }: Pick<ComposedEmail, "attachments">): number {
  const attached = attachments.reduce((sum, { content }) => sum + Buffer.byteLength(content, "base64"), 0)
  if (attached > attachmentBytesMax)
    throw requestTooLarge(`Attachments may hold ${attachmentBytesMax} bytes together, decoded.`)
  return attached
}

/** Mail to a topic or audience always; never implied for transactional mail: leaving a newsletter must not stop password resets. */
function wantsUnsubscribe(email: ComposedEmail, { topicId, audience }: Targets): boolean {
  if (topicId !== null || audience) return true
  return email.trackingSettings?.unsubscribeTracking ?? email.sendTimeCategory !== "transactional"
}

/** Two ways to unsubscribe in one mail: programs take either, and one of them would lead nowhere that counts here. */
function refuseTheirUnsubscribe({ headers = {} }: ComposedEmail): void {
  const detail =
    "This service sets it on this mail. Give your own only where trackingSettings.unsubscribeTracking is false and there is no topic or segment."
  const errors = unsubscribeHeadersOf(headers).map((name) => ({ pointer: `/headers/${name}`, detail }))
  if (errors.length) throw fieldsInvalid(errors)
}

/** Members of one send at most. */
const membersMax = 50

/** What the ids of a send name in the project. */
type Targets = {
  faults: FieldProblem[]
  /** The topic that the email belongs to. */
  topicId: string | null
  /** The one topic or segment it goes to, instead of addresses; `id` is the public one. */
  audience: { id: string; members: () => Address[] } | null
}

const nothing: Targets = { faults: [], topicId: null, audience: null }

/**
 * Resolves the topic, and the topic or segment in `to`; a send to addresses alone needs no query. A segment that is being
 * built, or with no or too many sendable members, is refused when the members are read: after every fault of the form.
 */
export async function resolveTargets(
  scope: Scope,
  email: Pick<NewEmail, "to" | "cc" | "bcc" | "topicId">,
): Promise<Targets> {
  const position = email.to.findIndex((one) => "audience" in one)
  const named = email.to[position]
  if (!named && email.topicId === undefined) return nothing

  const faults: FieldProblem[] = []
  const given = email.topicId === undefined ? null : decodeId("top", email.topicId)
  const known = given !== null && (await topicExists(scope, given))
  if (email.topicId !== undefined && !known)
    faults.push({ pointer: "/topicId", detail: "Names no topic of this project." })
  if (!named || !("audience" in named)) return { ...nothing, faults, topicId: known ? given : null }

  const alone = email.to.length === 1 && !email.cc?.length && !email.bcc?.length
  if (!alone) {
    faults.push({
      pointer: `/to/${position}`,
      detail: "A topic or segment is the only recipient of its mail: no other in to, no cc, no bcc.",
    })
    return { ...nothing, faults }
  }
  const audience = audienceOf(named.audience)
  const topicId = known ? given : audience?.kind === "top" ? audience.id : null
  const found = audience && (await findSendable(scope, audience, known ? given : null, membersMax + 1))
  if (!found) {
    faults.push({ pointer: `/to/${position}`, detail: `${named.audience} names no topic or segment of this project.` })
    return { ...nothing, faults }
  }
  return { faults, topicId, audience: { id: named.audience, members: () => membersOf(found) } }
}

function audienceOf(text: string): AudienceRef | null {
  const kind = text.startsWith("top_") ? "top" : "seg"
  const id = decodeId(kind, text)
  return id === null ? null : { kind, id }
}

function membersOf({ emails, building }: { emails: string[]; building: boolean }): Address[] {
  // Half of the members would match the earlier filter, half the new one.
  if (building)
    throw serviceUnavailable(
      "The members of the segment are being computed. Send again when the segment has no `building` any more.",
      { retryAfterSeconds: 5 },
    )
  if (emails.length > membersMax) throw audienceTooLarge()
  const members = emails.flatMap((email) => {
    const parsed = parseAddress(email)
    return parsed.ok ? [parsed] : []
  })
  if (!members.length) throw audienceEmpty()
  return members
}
