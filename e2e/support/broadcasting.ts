import { setTimeout as wait } from "node:timers/promises"
import { api, type Call } from "@/e2e/support/world"
import { claimBroadcasts } from "@/lib/broadcasts/sending/data"
import { runBroadcast } from "@/lib/broadcasts/sending/worker"
import { newSending, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import type { Route } from "@/lib/platform/http/endpoint"
import { decodeId, encodeId } from "@/lib/platform/ids"
import { addContacts, newSegment } from "@/e2e/support/segments/audience"

/** A project with a verified domain and without effective limits. */
export async function newBroadcaster(): Promise<Sending> {
  const sender = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 100000 WHERE id = $1", [sender.projectId])
  await pool().query("UPDATE organizations SET daily_sends = 1000000 WHERE id = $1", [sender.organizationId])
  return sender
}

export type Members = { segmentId: string; ids: string[]; emails: string[] }

/** A segment of so many new contacts. */
export async function newMembers(sender: Sending, count: number, name = "reader"): Promise<Members> {
  const segmentId = await newSegment(sender)
  const emails = Array.from({ length: count }, (_, at) => `${name}-${String(at).padStart(5, "0")}@x.example`)
  const ids = await addContacts(
    sender,
    emails.map((email) => ({ email })),
  )
  await addMembers(sender, segmentId, ids)
  return { segmentId, ids, emails }
}

export async function addMembers(sender: Sending, segmentId: string, contactIds: readonly string[]): Promise<void> {
  await pool().query(
    "INSERT INTO segment_members (project_id, segment_id, contact_id) SELECT $1, $2, unnest($3::uuid[])",
    [sender.projectId, decodeId("seg", segmentId), contactIds],
  )
}

export function mailOf(sender: Sending, to: readonly string[], more: object = {}) {
  return { from: `Acme <hello@${sender.domain}>`, to, subject: "News", text: "Hello", ...more }
}

export function call(sender: Sending, route: Route, id: string, more: Call = {}) {
  return api(route, { key: sender.apiKey, params: { projectId: sender.project, broadcastId: id }, ...more })
}

/** Creates a broadcast; answers its id. */
export async function create(sender: Sending, to: readonly string[], more: object = {}): Promise<string> {
  const body = mailOf(sender, to, more)
  const { status, json } = await call(sender, "POST /v1/projects/{projectId}/broadcasts", "", { body })
  if (status !== 202) throw new Error(`The broadcast was refused: ${JSON.stringify(json)}`)
  return json.id
}

export async function read(sender: Sending, id: string) {
  return (await call(sender, "GET /v1/projects/{projectId}/broadcasts/{broadcastId}", id)).json
}

/** Works on every broadcast that is due now, until it is done, paused or waits for more than room in the queue. */
export async function runDue(signal = new AbortController().signal): Promise<void> {
  for (let held = await claimBroadcasts(10, 60_000); held.length > 0; held = await claimBroadcasts(10, 60_000)) {
    await Promise.all(held.map((one) => runBroadcast(one, signal)))
    if (signal.aborted) return
    while (await anyLacksRoom(held.map(({ id }) => id))) await wait(50)
  }
}

async function anyLacksRoom(ids: readonly string[]): Promise<boolean> {
  const { rows } = await pool().query(
    "SELECT 1 FROM broadcasts WHERE id = ANY ($1) AND status = 'sending' AND waiting_for IS NULL AND due_at > now()",
    [ids],
  )
  return rows.length > 0
}

/** The addresses that a broadcast has an email for, in order, each as often as it has one. */
export async function addressesOf(id: string): Promise<string[]> {
  const { rows } = await pool().query<{ canonical: string }>(
    `SELECT d.canonical FROM emails e JOIN deliveries d ON d.email_id = e.id WHERE e.broadcast_id = $1 ORDER BY d.canonical`,
    [decodeId("bc", id)],
  )
  return rows.map(({ canonical }) => canonical)
}

/** Counts results as the dispatcher would, so that rates can be judged without sending. */
export async function countResults(sender: Sending, id: string, counts: Record<string, number>): Promise<void> {
  const columns = Object.keys(counts)
  await pool().query(
    `INSERT INTO metric_slices (project_id, dimension, grain, starts_at, key, ${columns.join(", ")})
      VALUES ($1, 'broadcast', 'day', date_trunc('day', now(), 'UTC'), $2, ${columns.map((_, at) => `$${at + 3}`).join(", ")})
      ON CONFLICT (project_id, dimension, grain, starts_at, key) DO UPDATE
        SET ${columns.map((column) => `${column} = metric_slices.${column} + excluded.${column}`).join(", ")}`,
    [sender.projectId, decodeId("bc", id), ...Object.values(counts)],
  )
}

export const contactId = (uuid: string | undefined) => encodeId("con", uuid ?? "")
