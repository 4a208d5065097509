import { z } from "zod"
import { foundKinds, type FoundKind } from "@/lib/search/rules"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { db, type InProject } from "@/lib/platform/database/scoped-db"
import { encodeId } from "@/lib/platform/ids"
import { escapeLike } from "@/lib/platform/format"

const FoundByName = z
  .strictObject({
    kind: z.enum(foundKinds),
    id: z.string(),
    name: z.string().describe("Of a broadcast, its subject."),
    status: z
      .string()
      .optional()
      .describe("Of a broadcast, its status; of an API key, `live`, `expired` or `revoked`."),
  })
  .meta({ id: "FoundByName" })

type FoundByName = z.output<typeof FoundByName>

export const FoundByNameList = z.strictObject({ data: z.array(FoundByName) }).meta({ id: "FoundByNameList" })

/** Of each kind, the newest. */
const eachMax = 5

type Finder = (scope: InProject, text: string) => Promise<FoundByName[]>

const inOrder = { orderBy: { id: "desc" }, take: eachMax } as const

const named = (text: string) => ({ contains: escapeLike(text), mode: "insensitive" }) as const

/** One query for each kind: those whose name has the text. */
const finders: Record<FoundKind, Finder> = {
  async topic(scope, text) {
    const where = { name: named(text), deletedAt: null }
    const rows = await db(scope).topic.findMany({ where, select: { id: true, name: true }, ...inOrder })
    return rows.map(({ id, name }) => ({ kind: "topic", id: encodeId("top", id), name }))
  },
  async segment(scope, text) {
    const where = { name: named(text), deletedAt: null }
    const rows = await db(scope).segment.findMany({ where, select: { id: true, name: true }, ...inOrder })
    return rows.map(({ id, name }) => ({ kind: "segment", id: encodeId("seg", id), name }))
  },
  async template(scope, text) {
    const where = { name: named(text) }
    const rows = await db(scope).template.findMany({ where, select: { id: true, name: true }, ...inOrder })
    return rows.map(({ id, name }) => ({ kind: "template", id: encodeId("tpl", id), name }))
  },
  async broadcast(scope, text) {
    const where = { subject: named(text) }
    const select = { id: true, subject: true, status: true } as const
    const rows = await db(scope).broadcast.findMany({ where, select, ...inOrder })
    return rows.map(({ id, subject, status }) => ({ kind: "broadcast", id: encodeId("bc", id), name: subject, status }))
  },
  async api_key(scope, text) {
    const select = { id: true, name: true, start: true, revokedAt: true, expiresAt: true } as const
    const where = { OR: [{ name: named(text) }, { start: { startsWith: escapeLike(text) } }] }
    const [rows, now] = await Promise.all([db(scope).apiKey.findMany({ where, select, ...inOrder }), databaseTime()])
    return rows.map(({ id, name, start, revokedAt, expiresAt }) => ({
      ...{ kind: "api_key", id: encodeId("key", id), name: name ?? start },
      status: revokedAt ? "revoked" : expiresAt && expiresAt <= now ? "expired" : "live",
    }))
  },
  async webhook(scope, text) {
    const where = { deletedAt: null, OR: [{ name: named(text) }, { url: named(text) }] }
    const rows = await db(scope).webhook.findMany({ where, select: { id: true, name: true }, ...inOrder })
    return rows.map(({ id, name }) => ({ kind: "webhook", id: encodeId("whk", id), name }))
  },
}

/** What of these kinds has the text in its name, at most five of each, kind after kind. */
export async function findByName(scope: InProject, text: string, kinds: readonly FoundKind[]): Promise<FoundByName[]> {
  const found = await Promise.all(kinds.map((kind) => finders[kind](scope, text)))
  return found.flat()
}
