import { randomBytes } from "node:crypto"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { expect, test } from "@playwright/test"
import { readRecord } from "@/lib/platform/postgres/record"
import { figures } from "@/e2e/support/chaos/figures"
import { startOwnProduct, type OwnProduct } from "@/e2e/support/chaos/own-product"
import { size } from "@/e2e/support/chaos/size"
import { mountSmallDisk, type SmallDisk } from "@/e2e/support/chaos/small-disk"

const { rounds, fullMs, panics, deliveredWithinMs } = size(
  { rounds: 1, fullMs: 3_000, panics: false, deliveredWithinMs: 120_000 },
  // A full log makes PostgreSQL panic, and its recovery may take minutes: an email whose first two attempts meet the full
  // disk waits 5 minutes (± 20 %) for its third.
  { rounds: 3, fullMs: 15_000, panics: true, deliveredWithinMs: 480_000 },
)
const diskMegabytes = 300
const backWithinMs = 30_000
const lanes = 4
/** Four lanes stay within the 300 requests a minute of a key, and within `Retry-After`. */
const pauseMs = 1_000
const programs = ["web", "worker", "mail", "sandbox"] as const

/** What the client was told: ids of what was accepted, how often it was refused, and anything that it must never be told. */
type Responses = {
  accepted: Map<string, number>
  imports: string[]
  refused: number
  uploadsRefused: number
  lost: number
  wrong: string[]
}

test(`a disk of ${diskMegabytes} MB filled ${rounds} times refuses with 503 and Retry-After, ends no process, is back within 30 s and loses nothing${panics ? ", through a panic of PostgreSQL too" : ""}`, async () => {
  test.setTimeout(size(600_000, 1_800_000))
  const disk = mountSmallDisk(diskMegabytes)
  try {
    const product = await startOwnProduct({ WEB_PROCESSES: "2", TMPDIR: disk.path }, disk.path)
    try {
      expect(readRecord(product.dataDir)?.dataFolder.startsWith(disk.path), "the database lies on the small disk").toBe(
        true,
      )
      await fillAndFree(product, disk)
    } catch (error) {
      process.stderr.write(product.output())
      throw error
    } finally {
      await product.stop()
    }
  } finally {
    disk.remove()
  }
})

async function fillAndFree(product: OwnProduct, disk: SmallDisk) {
  const responses: Responses = { accepted: new Map(), imports: [], refused: 0, uploadsRefused: 0, lost: 0, wrong: [] }
  const stopped = new AbortController()
  const running = () => programs.map((program) => product.running(program).length)
  const before = running()
  const clients = [
    ...Array.from({ length: lanes }, () => send(product, responses, stopped.signal)),
    upload(product, responses, stopped.signal),
  ]
  const backAfter: number[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const accepted = responses.accepted.size
      await expect.poll(() => responses.accepted.size, { timeout: 30_000 }).toBeGreaterThan(accepted + 5)
      backAfter.push(await fullOnce(product, disk, responses))
    }
    if (panics) {
      // Keeps the whole log from here on: else a checkpoint may make room before the log finds none.
      await product.query("SELECT pg_create_physical_replication_slot('whole_log', true)")
      backAfter.push(await fullOnce(product, disk, responses, () => panic(product, disk)))
      await product.query("SELECT pg_drop_replication_slot('whole_log')")
    }
  } finally {
    stopped.abort()
    await Promise.all(clients)
  }
  expect(responses.wrong).toEqual([])
  expect(responses.refused).toBeGreaterThan(0)
  expect(responses.uploadsRefused).toBeGreaterThan(0)
  expect(Math.max(...backAfter)).toBeLessThan(backWithinMs)
  await expect.poll(running).toEqual(before)
  expect(product.process.exitCode).toBeNull()
  await expectNothingLost(product, responses)
  const [attempts] = await product.query<{ most: number }>("SELECT max(attempt_count) AS most FROM deliveries")
  expect(logBytes(product.dataDir)).toBeLessThan(200e6)
  figures("full disk", {
    rounds,
    accepted: responses.accepted.size,
    "refused with 503": responses.refused,
    "uploads refused": responses.uploadsRefused,
    "connections lost": responses.lost,
    "back after ms": Math.max(...backAfter).toFixed(0),
    "attempts for an email at most": attempts?.most ?? 0,
    "starts of PostgreSQL": product.output().split("PostgreSQL ended").length,
  })
}

/**
 * Fills the disk until nothing is accepted any more, waits, does what else is given, and frees it.
 * @returns milliseconds from then to the next accepted send
 */
async function fullOnce(
  product: OwnProduct,
  disk: SmallDisk,
  responses: Responses,
  whileFull = async () => {},
): Promise<number> {
  const before = { ...responses }
  const deadline = Date.now() + 60_000
  let [accepted, since] = [responses.accepted.size, Date.now()]
  while (
    Date.now() - since < fullMs ||
    responses.refused === before.refused ||
    responses.uploadsRefused === before.uploadsRefused
  ) {
    disk.fill()
    if (responses.accepted.size > accepted) [accepted, since] = [responses.accepted.size, Date.now()]
    expect(product.process.exitCode, "the supervisor lives").toBeNull()
    if (Date.now() > deadline)
      throw new Error(
        `The disk is full, and after a minute still takes mail: ${responses.accepted.size} accepted, ${responses.refused} refused.`,
      )
    await wait(50)
  }
  await whileFull()
  const freedAt = Date.now()
  disk.freeFiller()
  await expect
    .poll(() => responses.accepted.size, { timeout: backWithinMs * 2, intervals: [50] })
    .toBeGreaterThan(accepted)
  return Date.now() - freedAt
}

/**
 * Writes log of changes that has no room until PostgreSQL panics. Where that does not end it, it is killed
 * then: the supervisor has to bring it back either way, and the disk is full while it tries.
 */
async function panic(product: OwnProduct, disk: SmallDisk) {
  // More than the whole disk.
  const log =
    "SELECT count(pg_logical_emit_message(false, 'fill', repeat(md5(n::text), 524288))) FROM generate_series(1, 40) n"
  const isDown = () => product.postgres() === null
  let last: unknown
  const panicked = async () => {
    disk.fill()
    const refusal = await product.query(log).catch((error: { severity?: string; code?: string }) => error)
    last = refusal
    // Another session may be the one that found no room: then this one is ended (57P02), or comes during recovery (57P03).
    const isOver = !Array.isArray(refusal) && ["57P02", "57P03"].includes(refusal.code ?? "")
    return isDown() || isOver || (!Array.isArray(refusal) && refusal.severity === "PANIC")
  }
  const deadline = Date.now() + 60_000
  while (!(await panicked())) {
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not panic: ${JSON.stringify(last)}`)
  }
  const answers = () =>
    product.query("SELECT 1").then(
      () => true,
      () => false,
    )
  // With little room it answers again, with none it ends, and between the two each recovery ends in the next panic.
  for (let waited = 0; waited < 20 && !isDown() && !(await answers()); waited++) await wait(500)
  const postmaster = product.postgres()
  figures("panic on a full disk", { "recovered by itself": postmaster ? "yes" : "no" })
  if (postmaster) process.kill(postmaster, "SIGKILL")
  await expect.poll(isDown, { timeout: 30_000, intervals: [50] }).toBe(true)
  const isSaid = () => product.output().includes("PostgreSQL ended; starting it again.")
  await expect.poll(isSaid, { timeout: 30_000 }).toBe(true)
}

/** Incompressible, so that tables and write-ahead log grow by as much. */
const bodyOf = () => randomBytes(450_000).toString("base64")

async function send({ baseUrl, apiKey, from }: OwnProduct, responses: Responses, signal: AbortSignal) {
  for (let at = 0; !signal.aborted; at++) {
    const body = JSON.stringify({ from, to: ["ada@lovelace.example"], subject: `Order ${at}`, text: bodyOf() })
    const answer = await ask(`${baseUrl}/v1/emails`, apiKey, "application/json", body, responses)
    if (answer?.status === 201) responses.accepted.set(answer.json.id, at)
    else if (answer) responses.refused += 1
    await wait(pauseMs)
  }
}

/** Forty rows of one contact, each with a hundred kilobytes that go nowhere. */
const csv = `email,note\n${`ada@lovelace.example,${"x".repeat(100_000)}\n`.repeat(40)}`

async function upload({ baseUrl, apiKey, projectId }: OwnProduct, responses: Responses, signal: AbortSignal) {
  while (!signal.aborted) {
    const answer = await ask(`${baseUrl}/v1/projects/${projectId}/contacts/import`, apiKey, "text/csv", csv, responses)
    if (answer?.status === 202) responses.imports.push(answer.json.id)
    else if (answer?.status === 503) responses.uploadsRefused += 1
    await wait(pauseMs)
  }
}

/** Null where the connection broke: a process may be restarted. Every answer is a success, a full import list, or 503 with Retry-After. */
async function ask(url: string, apiKey: string, type: string, body: string, responses: Responses) {
  try {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": type, connection: "close" }
    const answer = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(20_000) })
    const json = (await answer.json()) as { id: string; code?: string }
    const retryAfter = Number(answer.headers.get("retry-after"))
    const fine = answer.ok || json.code === "import.too_many" || (answer.status === 503 && retryAfter > 0)
    if (!fine) responses.wrong.push(`${answer.status} ${json.code}, Retry-After ${retryAfter}`)
    return { status: answer.status, json }
  } catch {
    responses.lost += 1
    return null
  }
}

/** What was answered with 2xx is stored, delivered, and has its whole story. */
async function expectNothingLost(product: OwnProduct, responses: Responses) {
  const kept = () =>
    product.query<{ status: string }>(
      "SELECT e.status, d.attempt_count, d.due_at - now() AS wait FROM emails e JOIN deliveries d ON d.email_id = e.id WHERE e.status <> 'delivered'",
    )
  await expect.poll(kept, { timeout: deliveredWithinMs, intervals: [500] }).toEqual([])
  const headers = { authorization: `Bearer ${product.apiKey}` }
  for (const id of responses.accepted.keys()) {
    const { status } = (await (await fetch(`${product.baseUrl}/v1/emails/${id}`, { headers })).json()) as {
      status: string
    }
    expect([id, status]).toEqual([id, "delivered"])
  }
  const open = "SELECT count(*)::int AS n FROM imports WHERE status <> 'completed'"
  await expect
    .poll(async () => (await product.query<{ n: number }>(open))[0]?.n, { timeout: 120_000, intervals: [500] })
    .toBe(0)
  const [imported] = await product.query<{ n: number }>("SELECT count(*)::int AS n FROM imports")
  expect(imported?.n).toBeGreaterThanOrEqual(responses.imports.length)
}

function logBytes(dataDir: string): number {
  const folder = join(dataDir, "logs")
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
