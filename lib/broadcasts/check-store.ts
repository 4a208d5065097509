import type { Entry } from "@/lib/broadcasts/content-schema"
import { firstId } from "@/lib/platform/database/distinct-sql"
import { db } from "@/lib/platform/database/scoped-db"
import type { Scope } from "@/lib/platform/http/scope"
import { decodeId } from "@/lib/platform/ids"

/** The places of recipients that name no segment, topic or contact of the project. */
export async function missingEntries(scope: Scope, to: readonly Entry[]): Promise<number[]> {
  const ids = to.map(idOf)
  const among = (kind: "seg" | "top" | "con") => ({ in: ids.flatMap((one) => (one?.kind === kind ? one.id : [])) })
  const select = { id: true } as const
  const [segments, topics, contacts] = await Promise.all([
    db(scope).segment.findMany({ where: { id: among("seg"), deletedAt: null }, select }),
    db(scope).topic.findMany({ where: { id: among("top"), deletedAt: null }, select }),
    db(scope).contact.findMany({ where: { id: among("con") }, select }),
  ])
  const known = new Set([...segments, ...topics, ...contacts].map(({ id }) => id))
  return ids.flatMap((one, at) => (one && !known.has(one.id) ? at : []))
}

/** Null for an address; an id that cannot be read names nothing. */
function idOf(one: Entry): { kind: "seg" | "top" | "con"; id: string } | null {
  if ("address" in one) return null
  const text = "contact" in one ? one.contact : one.audience
  const kind = text.slice(0, 3) as "seg" | "top" | "con"
  return { kind, id: decodeId(kind, text) ?? firstId }
}

export async function senderVerified(scope: Scope, name: string): Promise<boolean> {
  return (await db(scope).domain.count({ where: { name, status: { in: ["verified", "degraded"] } } })) > 0
}
