import { makeKeyPair, type KeyPair } from "@/e2e/support/key-pairs"
import { api, newWorld, type World } from "@/e2e/support/world"
import { createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import { destinationRoom, leaveRoom } from "@/lib/delivery/queue/for-destinations"
import { createDeliverer } from "@/lib/delivery/queue/worker"
import { prepareWork } from "@/lib/delivery/queue/prepare"
import { storeChanged, syncDestinations } from "@/lib/delivery/queue/queues/destinations"
import { findOutages, writeHeartbeat } from "@/lib/delivery/regions/data"
import { startProbes } from "@/lib/delivery/regions/probe"
import { createRegionState, createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { keyPurpose } from "@/lib/domains/keys/dkim-keys"
import { seal } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { decodeId, newId } from "@/lib/platform/ids"
import { type Io } from "@/lib/platform/io"
import { systemIo } from "@/lib/regions/io"
import type { Region } from "@/lib/regions/regions"

/** A project with a verified domain whose key is known to the test. */
export type Sending = World & {
  domain: string
  domainId: string
  selector: string
  publicKey: string
  mailFromDomain: string
}

/** Of all senders of a process, and of no domain that a test registers. */
let pair: KeyPair | undefined

export async function newSending(region: Region = "eu-west-1"): Promise<Sending> {
  const world = await newWorld({ region })
  const { privateKey, publicKey } = (pair ??= makeKeyPair())
  const domainId = newId()
  const keyId = newId()
  const domain = `acme-${domainId.slice(-8)}.test`
  const selector = `mr${domainId.slice(-6)}a`
  const mailFromDomain = `send.${domain}`
  await pool().query(
    `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, status, records)
      VALUES ($1, $2, $3, $4, $5, $6, 'verified', '[]')`,
    [domainId, world.projectId, domain, region, mailFromDomain, `links.${domain}`],
  )
  await pool().query(
    `INSERT INTO dkim_keys (id, project_id, domain_id, selector, public_key, private_key, state, status)
      VALUES ($1, $2, $3, $4, $5, $6, 'active', 'verified')`,
    [keyId, world.projectId, domainId, selector, publicKey, seal(privateKey, keyPurpose(keyId))],
  )
  return { ...world, domain, domainId, selector, publicKey, mailFromDomain }
}

/** Sends through the API; returns the uuids of the messages. */
export async function sendMail(sender: Sending, body: Record<string, unknown> = {}): Promise<string[]> {
  const mail = { from: `Acme <hello@${sender.domain}>`, to: ["ada@lovelace.example"], subject: "Hello", text: "Hi Ada" }
  const { status, json } = await api("POST /v1/emails", { key: sender.apiKey, body: { ...mail, ...body } })
  if (status !== 201) throw new Error(`The send was refused: ${JSON.stringify(json)}`)
  const ids = (json.messages ?? [json]) as { id: string }[]
  return ids.map(({ id }) => decodeId("email", id) ?? "")
}

/** Relays of all regions on this port of loopback. */
export function relayAt(port: number, parameters = "delivered=accept"): Relays {
  provideEnv({ SMTP_URL: `smtp://127.0.0.1:${port}?${parameters.includes("tls=") ? "" : "tls=none&"}${parameters}` })
  return createRelays()
}

/** Works on all that is due in a region until nothing is. Times are kept in milliseconds: what is due now may be due in a moment. */
export async function deliverDue(
  relays: Relays,
  { region = "eu-west-1" as Region, io = {} as Partial<Io> } = {},
): Promise<void> {
  const state = createRegionState(relays.paths)
  const destinations = destinationRoom(relays, region)
  const claim = createDeliveryClaim({ onDown: state.update, worker: relays.paths.id, destinations })
  const deliver = createDeliverer({ region, relays, io: { ...systemIo(), ...io } }, state)
  await pool().query(
    "UPDATE deliveries SET due_at = now() - interval '1 second' WHERE due_at BETWEEN now() AND now() + interval '5 ms'",
  )
  const isPaced = relays.named(region)?.transport.pacing !== undefined
  for (;;) {
    if (isPaced) await keepQueues(relays)
    const work = await prepareWork(await claim({ region, limit: 40, leaseMs: 2_000 }))
    if (work.length === 0) return
    const ended = work.map((one) =>
      // A signal of its own, as its lease has: Node takes more than ten listeners of one for a leak.
      deliver(one, new AbortController().signal).finally(() => leaveRoom(relays, region, one.claimed)),
    )
    await Promise.all(ended)
  }
}

/** What a worker does every few seconds: it is alive, and has its share of the queues of destinations. */
export async function keepQueues(relays: Relays): Promise<void> {
  await writeHeartbeat(relays.paths)
  await storeChanged(relays)
  await syncDestinations(relays)
}

/** Probes every relay that is unreachable now. */
export async function probeNow(relays: Relays): Promise<void> {
  await pool().query("UPDATE region_outages SET next_probe_at = now() - interval '1 second'")
  await Promise.all(await startProbes(relays, new AbortController().signal, await findOutages()))
}

/** Skips the wait of this email's delivery until its next attempt. */
export async function passWait(emailId: string): Promise<number> {
  const { rows } = await pool().query<{ waited: number }>(
    `WITH passed AS (
        UPDATE deliveries d SET due_at = now() - interval '1 second', first_attempt_at = d.first_attempt_at - (d.due_at - now())
          FROM deliveries o WHERE o.id = d.id AND d.email_id = $1 AND d.due_at > now() RETURNING o.due_at - now() AS wait
      ), older AS (
        UPDATE emails SET created_at = created_at - (SELECT max(wait) FROM passed) WHERE id = $1 AND EXISTS (SELECT 1 FROM passed)
      )
      SELECT extract(epoch FROM wait)::float8 AS waited FROM passed`,
    [emailId],
  )
  return rows[0]?.waited ?? 0
}

export async function emailRow(id: string) {
  const { rows } = await pool().query("SELECT * FROM emails WHERE id = $1", [id])
  return rows[0]
}

export async function deliveryRows(emailId: string) {
  return (await pool().query("SELECT * FROM deliveries WHERE email_id = $1 ORDER BY id", [emailId])).rows
}

export async function eventTypes(emailId: string): Promise<string[]> {
  return (await eventRows(emailId)).map(({ type }) => type)
}

export async function eventRows(emailId: string): Promise<{ type: string; data: Record<string, string> }[]> {
  return (await pool().query("SELECT type, data FROM events WHERE email_id = $1 ORDER BY occurred_at, id", [emailId]))
    .rows
}

export async function attemptRows(emailId: string) {
  return (await pool().query("SELECT * FROM delivery_attempts WHERE email_id = $1 ORDER BY id", [emailId])).rows
}

export async function suppressedAddresses(sender: Sending): Promise<string[]> {
  const { rows } = await pool().query("SELECT email FROM suppressions WHERE project_id = $1 ORDER BY email", [
    sender.projectId,
  ])
  return rows.map(({ email }) => email)
}
