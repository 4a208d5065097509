import type { Address } from "@/lib/addresses/address"
import type { Entry } from "@/lib/broadcasts/content-schema"
import { decodeId, firstIdAt } from "@/lib/platform/ids"
import type { WalkedMember } from "@/lib/broadcasts/rules"
import type { ShownContact } from "@/lib/emails/templates/data"
import { pool, transaction } from "@/lib/platform/database/db"
import { dayMs } from "@/lib/platform/time"

/** One entry of the recipients: a single address or contact, or the members of a topic or segment. */
export type RecipientSource =
  | { kind: "contact"; id: string }
  | { kind: "address"; address: Address }
  | { kind: "top"; id: string; publicId: string }
  | { kind: "seg"; id: string; publicId: string }

/**
 * The entries in the order in which they are walked: who is named first, so that a member of a segment who is named too is
 * recognized without asking the database. The order is the same at every claim.
 */
export function sourcesOf(entries: readonly Entry[]): RecipientSource[] {
  const sources = entries.flatMap((entry) => sourceOf(entry) ?? [])
  const isNamed = ({ kind }: RecipientSource) => kind === "contact" || kind === "address"
  return [...sources.filter(isNamed), ...sources.filter((source) => !isNamed(source))]
}

function sourceOf(entry: Entry): RecipientSource | null {
  if ("address" in entry) return { kind: "address", address: entry }
  if ("contact" in entry) return withId("con", entry.contact, (id) => ({ kind: "contact", id }))
  const kind = entry.audience.startsWith("top_") ? "top" : "seg"
  return withId(kind, entry.audience, (id) => ({ kind, id, publicId: entry.audience }))
}

function withId(
  prefix: "con" | "top" | "seg",
  text: string,
  make: (id: string) => RecipientSource,
): RecipientSource | null {
  const id = decodeId(prefix, text)
  return id === null ? null : make(id)
}

/** The entries before one of them, by kind, as the statements of the walk take them. */
export function earlierThan(sources: readonly RecipientSource[], position: number) {
  const before = sources.slice(0, position)
  const idsOf = (kind: "contact" | "top" | "seg") => before.flatMap((one) => (one.kind === kind ? one.id : []))
  const addresses = before.flatMap((one) => (one.kind === "address" ? one.address.canonical : []))
  return { contacts: idsOf("contact"), topics: idsOf("top"), segments: idsOf("seg"), addresses }
}

// On `pg`: the walk reads what the accept path reads, with functions of the database, in short statements over large tables.

/** Of which broadcast the walk is, the topic that its emails belong to, and whether each shows fields of its contact. */
export type Walk = { id: string; projectId: string; startedAt: Date; topicId: string | null; isPersonal: boolean }

export type Candidate = WalkedMember & {
  /** Null for an address that is no contact. */
  contactId: string | null
  email: string
  /** Whether it became a member after the broadcast began. */
  joined: boolean
  /** Null where it is not shown, or there is none. */
  contact: Omit<ShownContact, "email"> | null
}

/** Read with the member: a statement of its own for each page would cost a tenth of the rate. */
const shownContact = (wanted: string) => `CASE WHEN ${wanted} THEN json_build_object('firstName', c.first_name,
            'lastName', c.last_name, 'phone', c.phone, 'properties', c.properties) END AS contact`

const members = {
  seg: {
    from: "segment_members m JOIN segments s ON s.project_id = m.project_id AND s.id = m.segment_id AND s.deleted_at IS NULL",
    where: "m.segment_id = $2 AND m.origin <> 'removed'",
    since: "m.created_at",
  },
  top: {
    from: "topic_preferences m JOIN topics s ON s.project_id = m.project_id AND s.id = m.topic_id AND s.deleted_at IS NULL",
    where: "m.topic_id = $2 AND m.subscription = 'opt_in'",
    since: "m.updated_at",
  },
}

/**
 * What has become of the email that an address has got from this broadcast. Clocks of hosts may differ by less than a day.
 * `OFFSET 0` keeps the broadcast out of how an email is found: statistics know nothing of one that has just begun, and all of
 * its emails would be read for each member.
 */
export const admitted = (address: string) => `(SELECT e.admitted_status FROM deliveries d, LATERAL (
    SELECT broadcast_id, admitted_status FROM emails WHERE project_id = d.project_id AND id = d.email_id OFFSET 0) e
  WHERE d.project_id = $1 AND d.canonical = ${address} AND d.email_id >= $5 AND e.broadcast_id = $4 LIMIT 1)`

/** The reason why an address is on the list, but for leaving by a link. */
const listed = (
  address: string,
) => `(SELECT CASE WHEN x.reason = 'unsubscribe' THEN 'unsubscribed' ELSE 'suppressed' END
  FROM suppressions x WHERE x.project_id = $1 AND x.email = ${address})`

function common({ id, projectId, startedAt, topicId }: Walk) {
  return { projectId, id, since: firstIdAt(new Date(startedAt.getTime() - dayMs)), topicId }
}

/** The next members of a topic or segment after a contact, in the order of their ids, as they are now. */
export async function nextMembers(
  walk: Walk,
  { sources, position, cursor }: { sources: readonly RecipientSource[]; position: number; cursor: string | null },
  limit: number,
): Promise<Candidate[]> {
  const source = sources[position]
  if (!source || source.kind === "contact" || source.kind === "address") throw new Error("The entry has no members.")
  const { from, where, since } = members[source.kind]
  const { projectId, id, since: firstEmail, topicId } = common(walk)
  const earlier = earlierThan(sources, position)
  const { rows } = await pool().query<Candidate>({
    name: `broadcasts.next_${source.kind}_members`,
    text: `WITH page AS (
        SELECT m.contact_id, ${since} > $7 AS joined FROM ${from}
          WHERE m.project_id = $1 AND ${where} AND ($3::uuid IS NULL OR m.contact_id > $3)
          ORDER BY m.contact_id LIMIT $8
      )
      SELECT c.id AS "contactId", c.email, p.joined, ${admitted("c.email")} AS admitted,
          CASE WHEN c.unsubscribed THEN 'unsubscribed' ELSE coalesce(${listed("c.email")},
            CASE WHEN $6::uuid IS NOT NULL AND topic_state($1, $6, c.id) IS DISTINCT FROM 'opt_in' THEN 'topicOptOut' END
          ) END AS excluded,
          c.id = ANY ($9::uuid[]) OR c.email = ANY ($10::text[])
            OR EXISTS (SELECT 1 FROM segment_members o WHERE o.project_id = $1 AND o.segment_id = ANY ($11::uuid[])
              AND o.contact_id = c.id AND o.origin <> 'removed')
            OR EXISTS (SELECT 1 FROM topic_preferences o WHERE o.project_id = $1 AND o.topic_id = ANY ($12::uuid[])
              AND o.contact_id = c.id AND o.subscription = 'opt_in') AS earlier,
          ${shownContact("$13")}
        FROM page p JOIN contacts c ON c.project_id = $1 AND c.id = p.contact_id
        ORDER BY c.id`,
    values: [
      ...[projectId, source.id, cursor, id, firstEmail, topicId ?? (source.kind === "top" ? source.id : null)],
      ...[walk.startedAt, limit, earlier.contacts, earlier.addresses, earlier.segments, earlier.topics],
      walk.isPersonal,
    ],
  })
  return rows
}

/** Somebody who is named, as they are now; null for a contact that was deleted. */
export async function namedCandidate(
  walk: Walk,
  sources: readonly RecipientSource[],
  position: number,
): Promise<Candidate | null> {
  const source = sources[position]
  if (!source || source.kind === "top" || source.kind === "seg") throw new Error("The entry names nobody.")
  const { projectId, id, since, topicId } = common(walk)
  const earlier = earlierThan(sources, position)
  const [contact, address] = source.kind === "contact" ? [source.id, null] : [null, source.address.canonical]
  const { rows } = await pool().query<Candidate>({
    name: "broadcasts.named_candidate",
    text: `SELECT c.id AS "contactId", g.email, false AS joined, ${admitted("g.email")} AS admitted,
          CASE WHEN c.unsubscribed THEN 'unsubscribed' ELSE coalesce(${listed("g.email")},
            CASE WHEN $6::uuid IS NOT NULL AND left_topic($1, $6, g.email) THEN 'topicOptOut' END) END AS excluded,
          c.id = ANY ($7::uuid[]) OR g.email = ANY ($8::text[]) AS earlier, ${shownContact("$9 AND c.id IS NOT NULL")}
        FROM (SELECT coalesce($3::text, (SELECT k.email FROM contacts k WHERE k.project_id = $1 AND k.id = $2)) AS email) g
        LEFT JOIN contacts c ON c.project_id = $1 AND c.email = g.email
        WHERE g.email IS NOT NULL`,
    values: [
      ...[projectId, contact, address, id, since, topicId, earlier.contacts, earlier.addresses],
      walk.isPersonal,
    ],
  })
  const [found] = rows
  // Unknown to the arrays above where the address is no contact.
  return found ? { ...found, earlier: found.earlier ?? false } : null
}

/** Counting a million members takes some seconds, once for each broadcast. */
const countMs = 60_000

/** How many people all entries hold together, each once. */
export async function countRecipients(projectId: string, sources: readonly RecipientSource[]): Promise<number> {
  const { contacts, topics, segments, addresses } = earlierThan(sources, sources.length)
  const text = `SELECT (SELECT count(*)::int FROM (
        SELECT m.contact_id FROM segment_members m
            JOIN segments s ON s.project_id = m.project_id AND s.id = m.segment_id AND s.deleted_at IS NULL
          WHERE m.project_id = $1 AND m.segment_id = ANY ($2::uuid[]) AND m.origin <> 'removed'
        UNION SELECT m.contact_id FROM topic_preferences m
            JOIN topics s ON s.project_id = m.project_id AND s.id = m.topic_id AND s.deleted_at IS NULL
          WHERE m.project_id = $1 AND m.topic_id = ANY ($3::uuid[]) AND m.subscription = 'opt_in'
        UNION SELECT c.id FROM contacts c WHERE c.project_id = $1 AND (c.id = ANY ($4::uuid[]) OR c.email = ANY ($5::text[]))
      ) people) + (SELECT count(DISTINCT a.email)::int FROM unnest($5::text[]) AS a(email)
        WHERE NOT EXISTS (SELECT 1 FROM contacts c WHERE c.project_id = $1 AND c.email = a.email)) AS recipients`
  return transaction(
    async (client) => {
      const { rows } = await client.query<{ recipients: number }>(text, [
        ...[projectId, segments, topics, contacts, addresses],
      ])
      return rows[0]?.recipients ?? 0
    },
    { statementMs: countMs },
  )
}
