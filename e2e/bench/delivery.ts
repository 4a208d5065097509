import { dayMs } from "@/lib/platform/time"
import { fork } from "node:child_process"
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { pool } from "@/lib/platform/database/db"
import { KeyRing } from "@/e2e/bench/key-ring"
import { askOnce, requestOf } from "@/e2e/bench/load"
import { message, nextNumber } from "@/e2e/bench/messages"
import { stopping, type Stage } from "@/e2e/bench/stage"
import { median, ratio, type Row } from "@/e2e/bench/table"
import type { World } from "@/e2e/bench/world"

const pollEveryMs = 20

/**
 * Mails a second that one worker takes from the table, composes, signs, hands to a server on this machine and marks as
 * delivered, beside the RSA-2048 signatures a second that one core makes. Counted between the tenth and the ninth part of
 * a full queue: neither the start nor the last stragglers are what a worker does all day.
 */
export async function measureDelivery(
  stage: Stage,
  world: World,
  { rounds, mails }: { rounds: number; mails: number },
): Promise<Row[]> {
  const key = new KeyRing(world.keys, 29).connection()
  const sink = await startSink()
  const worker = await stage.startWorker(`smtp://127.0.0.1:${sink.port}?tls=none&delivered=accept&connections=10`)
  const measured = { delivered: [] as number[], signed: [] as number[] }
  try {
    await deliverAll(stage, world, { mails }, key)
    for (let round = 0; round < rounds; round++) {
      const before = signaturesPerSecond()
      measured.delivered.push(await deliverAll(stage, world, { mails }, key))
      measured.signed.push((before + signaturesPerSecond()) / 2)
    }
  } finally {
    await worker.stop()
    await sink.stop()
  }
  return [
    {
      what: "delivered a second, DKIM RSA-2048, one worker / RSA-2048 signatures a second of one core",
      measured: `delivered ${median(measured.delivered).toFixed(0)}/s, signed ${median(measured.signed).toFixed(0)}/s`,
      ratio: ratio(measured.delivered, measured.signed),
      goal: 0.7,
    },
  ]
}

/** @param domains of the recipients, in turn; without them all are of one */
export async function deliverAll(
  stage: Stage,
  world: World,
  { mails, domains }: { mails: number; domains?: readonly string[] },
  key: () => string,
): Promise<number> {
  const perCall = Math.min(100, mails)
  for (let left = mails; left > 0; left -= perCall) {
    // Put off, so that the queue is full before the worker sees any of it.
    const items = Array.from({ length: perCall }, (_, at) => ({
      ...message(world.domain, nextNumber()),
      ...(domains && { to: [`person${left - at}@${domains[(left - at) % domains.length]}`] }),
      scheduledAt: tomorrow(),
    }))
    await askOnce(stage.one, requestOf("POST", "/v1/emails/batch", { key: key(), body: JSON.stringify({ items }) }))
  }
  await pool().query("ANALYZE emails, deliveries, email_bodies")
  await release(world)
  return steadyRate(world, mails)
}

function tomorrow(): string {
  return new Date(Date.now() + dayMs).toISOString()
}

/** Releases all scheduled email at once. */
async function release({ projectId }: World) {
  await pool().query(
    `WITH mail AS (UPDATE emails SET status = 'queued', due_at = NULL WHERE project_id = $1 AND status = 'scheduled' RETURNING id)
      UPDATE deliveries d SET status = 'queued', due_at = now() FROM mail WHERE d.project_id = $1 AND d.email_id = mail.id`,
    [projectId],
  )
}

async function steadyRate({ projectId }: World, mails: number): Promise<number> {
  let first: { at: number; left: number } | undefined
  for (;;) {
    const { rows } = await pool().query<{ left: number }>(
      "SELECT count(*)::int AS left FROM deliveries WHERE project_id = $1 AND due_at IS NOT NULL",
      [projectId],
    )
    const now = { at: performance.now(), left: rows[0]?.left ?? 0 }
    if (!first && now.left <= 0.9 * mails) first = now
    if (first && now.left <= 0.1 * mails) return ((first.left - now.left) * 1_000) / Math.max(1, now.at - first.at)
    await wait(pollEveryMs)
  }
}

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
})
const signingKey = createPrivateKey(privateKey)
const signed = Buffer.alloc(400, "h")

function signaturesPerSecond(): number {
  const startedAt = performance.now()
  let made = 0
  for (; performance.now() - startedAt < 500; made++) sign("sha256", signed, signingKey)
  return (made * 1_000) / (performance.now() - startedAt)
}

/**
 * A mail server that accepts and discards everything, in a process of its own: it only reads commands and the final dot,
 * so that its cost does not distort the measurement.
 */
export async function startSink(address = "127.0.0.1"): Promise<{ port: number; stop(): Promise<void> }> {
  const program = join(process.cwd(), "e2e", "bench", "sink.mjs")
  const child = fork(program, [address], { stdio: ["ignore", "ignore", "inherit", "ipc"] })
  const [port] = (await once(child, "message")) as [number]
  return { port, ...stopping(child) }
}
