import { expect, vi } from "vitest"
import type { WorkerProcess } from "@/e2e/support/chaos/worker-process"
import { api } from "@/e2e/support/world"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { newSending, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"

/** How long the sink takes for a mail: five connections then take 200 a second. */
export const sinkMs = 25

/** A real SMTP server on loopback that keeps every message, at the pace of a real one. */
export function openSink(faults: Faults = {}, port?: number): Promise<FaultServer> {
  return faultServer(
    { DOT: (socket) => void setTimeout(() => socket.write("250 2.0.0 kept\r\n"), sinkMs), ...faults },
    port,
  )
}

/** The environment of a worker whose mail all goes to this sink. */
export function towards(sink: FaultServer): Record<string, string> {
  return { SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none&delivered=accept` }
}

/** A sender without effective rate limits. */
export async function newMailer(): Promise<Sending> {
  const sender = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 100000 WHERE id = $1", [sender.projectId])
  await pool().query("UPDATE organizations SET daily_sends = 1000000 WHERE id = $1", [sender.organizationId])
  return sender
}

/** Sends one mail to each address, in this order; answers the public ids. */
export async function sendTo(
  sender: Sending,
  addresses: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < addresses.length; at += 100) {
    const items = addresses.slice(at, at + 100).map((address, place) => ({
      from: `hello@${sender.domain}`,
      to: [address],
      subject: `Number ${at + place}`,
      text: "Hello",
      ...fields,
    }))
    const { status, json } = await api("POST /v1/emails/batch", { key: sender.apiKey, body: { items } })
    expect(status).toBe(200)
    for (const { id } of json.results as { id: string }[]) ids.push(id)
  }
  return ids
}

export function readers(count: number, name = "reader"): string[] {
  return Array.from({ length: count }, (_, at) => `${name}-${at}@x.example`)
}

/** What the sink holds: how many different mails, how many copies too many, and whether all copies of one are alike. */
export function tally({ messages }: FaultServer) {
  const bytes = new Map<string, string>()
  let differing = 0
  for (const message of messages) {
    const id = /^Message-ID: (\S+)/im.exec(message)?.[1] ?? ""
    if ((bytes.get(id) ?? message) !== message) differing += 1
    bytes.set(id, message)
  }
  return { mails: bytes.size, copies: messages.length - bytes.size, differing }
}

export async function received(sink: FaultServer, count: number, worker?: WorkerProcess) {
  await vi.waitFor(() => expect(sink.messages.length, worker?.output()).toBeGreaterThanOrEqual(count), {
    timeout: 30_000,
    interval: 5,
  })
}

export async function countOf({ projectId }: Sending, status: string): Promise<number> {
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM emails WHERE project_id = $1 AND status = $2", [
    projectId,
    status,
  ])
  return rows[0].n
}

export async function delivered(sender: Sending, count: number, worker?: WorkerProcess) {
  await vi.waitFor(async () => expect(await countOf(sender, "delivered"), worker?.output()).toBe(count), {
    timeout: 60_000,
    interval: 50,
  })
}

/** Each mail was queued, sent and delivered once in its timeline, whatever happened to the workers. */
export async function expectOneStory({ projectId }: Sending, mails: number) {
  const { rows } = await pool().query(
    "SELECT type, count(*)::int AS n, count(DISTINCT email_id)::int AS emails FROM events WHERE project_id = $1 GROUP BY type ORDER BY type",
    [projectId],
  )
  expect(rows).toEqual(["delivered", "queued", "sent"].map((type) => ({ type, n: mails, emails: mails })))
}
