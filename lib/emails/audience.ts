import { parseAddress, type Address } from "@/lib/addresses/address"
import { findSendable, topicExists, type Audience } from "@/lib/emails/audience-sql"
import { audienceEmpty, audienceTooLarge } from "@/lib/emails/problems"
import type { NewEmail } from "@/lib/emails/schema"
import { decodeId } from "@/lib/platform/ids"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"

/** Members of one send at most. */
const membersMax = 50

/** What the ids in a send stand for in the project. */
export type Meant = {
  faults: FieldProblem[]
  /** The topic that the mail belongs to. */
  topicId: string | null
  /** The one topic or segment it goes to, instead of addresses; `id` is the public one. */
  audience: { id: string; members: () => Address[] } | null
}

const nothing: Meant = { faults: [], topicId: null, audience: null }

/**
 * Looks up what a send means by its ids; a send to addresses alone asks for nothing. That a segment is being built, or
 * has no or too many sendable members, is said when the members are asked for: after every fault of the form.
 */
export async function meantBy(scope: Scope, email: NewEmail): Promise<Meant> {
  const place = email.to.findIndex((one) => "audience" in one)
  const named = email.to[place]
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
      pointer: `/to/${place}`,
      detail: "A topic or segment is the only recipient of its mail: no other in to, no cc, no bcc.",
    })
    return { ...nothing, faults }
  }
  const audience = audienceOf(named.audience)
  const topicId = known ? given : audience?.kind === "top" ? audience.id : null
  const found = audience && (await findSendable(scope, audience, known ? given : null, membersMax + 1))
  if (!found) {
    faults.push({ pointer: `/to/${place}`, detail: `${named.audience} names no topic or segment of this project.` })
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
  // Half of the members of an earlier filter and half of this one's are nobody's audience.
  if (building)
    throw serviceUnavailable(
      "The members of the segment are being chosen anew. Send again when `building` is gone from it.",
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
