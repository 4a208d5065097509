import { api, type World } from "@/e2e/support/world"
import { followScores } from "@/lib/contacts/engagement/data"
import { pool } from "@/lib/platform/database/db"
import { decodeId, newId } from "@/lib/platform/ids"
import { createFollower } from "@/lib/segments/passes/worker"
import type { Group } from "@/lib/segments/rules"

export type NewContact = {
  email: string
  firstName?: string
  properties?: Record<string, string>
  unsubscribed?: boolean
  createdAt?: Date
  validationStatus?: string
  engagementTier?: string
}

/** Contacts in one statement; answers their uuids. */
export async function addContacts(world: World, contacts: readonly NewContact[]): Promise<string[]> {
  const rows = contacts.map((contact) => ({ id: newId(), ...contact }))
  await pool().query(
    `INSERT INTO contacts (id, project_id, email, first_name, properties, unsubscribed, created_at, validation_status, engagement_tier)
      SELECT id, $1, email, "firstName", coalesce(properties, '{}'), coalesce(unsubscribed, false), coalesce("createdAt", now()),
        coalesce("validationStatus", 'unknown'), "engagementTier"
        FROM json_to_recordset($2) AS r(id uuid, email text, "firstName" text, properties jsonb, unsubscribed boolean,
          "createdAt" timestamptz, "validationStatus" text, "engagementTier" text)`,
    [world.projectId, JSON.stringify(rows)],
  )
  return rows.map(({ id }) => id)
}

export async function newSegment(world: World, filter?: Group, name = `Segment ${newId()}`): Promise<string> {
  const { status, json } = await api("POST /v1/projects/{projectId}/segments", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { name, ...(filter ? { filter } : {}) },
  })
  if (status !== 201) throw new Error(`The segment was refused: ${JSON.stringify(json)}`)
  return json.id
}

export async function segmentNow(world: World, segmentId: string) {
  const { json } = await api("GET /v1/projects/{projectId}/segments/{segmentId}", {
    key: world.apiKey,
    params: { projectId: world.project, segmentId },
  })
  return json
}

/** Addresses of the members, in order. */
export async function membersOf(segmentId: string): Promise<string[]> {
  const { rows } = await pool().query<{ email: string }>(
    `SELECT c.email FROM segment_members m JOIN contacts c ON c.id = m.contact_id
      WHERE m.segment_id = $1 AND m.origin <> 'removed' ORDER BY c.email`,
    [decodeId("seg", segmentId)],
  )
  return rows.map(({ email }) => email)
}

/** Lets segments catch up with everything that has been committed. */
export async function followAll(): Promise<void> {
  const follow = createFollower(followScores)
  while (await follow());
}

/** One delivery to an address with its times, and what happened to it afterwards. */
export async function addDelivery(
  world: World,
  to: string,
  given: {
    sentAt?: Date
    deliveredAt?: Date
    bouncedAt?: Date
    events?: { type: string; at: Date; machine?: boolean }[]
  },
): Promise<string> {
  const [emailId, id] = [newId(), newId()]
  await pool().query(
    `INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers, cc_headers,
        bcc_headers, subject, message_id) VALUES ($1, $2, $1, 'sent', 'queued', $1, 'a@x.test', '{}', '{}', '{}', 's', 'm')`,
    [emailId, world.projectId],
  )
  await pool().query(
    `INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status, sent_at, delivered_at, ended_at)
      VALUES ($1, $2, $3, 'eu-west-1', 'to', $4, $4, $5, $6, $7, $8)`,
    [
      id,
      world.projectId,
      emailId,
      to,
      given.bouncedAt ? "bounced" : "sent",
      given.sentAt,
      given.deliveredAt,
      given.bouncedAt,
    ],
  )
  for (const { type, at, machine } of given.events ?? []) {
    await pool().query(
      "INSERT INTO events (id, project_id, email_id, delivery_id, type, data, occurred_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      [newId(), world.projectId, emailId, id, type, machine ? { machine: "true" } : {}, at],
    )
  }
  return id
}
