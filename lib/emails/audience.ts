import { parseAddress, type Address } from "@/lib/addresses/address"
import { findSendable, topicExists, type Audience } from "@/lib/emails/audience-sql"
import { audienceEmpty, audienceTooLarge } from "@/lib/emails/problems"
import type { NewEmail } from "@/lib/emails/send-schema"
import { decodeId } from "@/lib/platform/ids"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"

/** Members of one send at most. */
const membersMax = 50

/** What the ids of a send name in the project. */
export type Targets = {
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
export async function resolveTargets(scope: Scope, email: NewEmail): Promise<Targets> {
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

function audienceOf(text: string): Audience | null {
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
