import { fork, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { setPriority } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { startSink } from "@/e2e/bench/delivery"
import { KeyRing } from "@/e2e/bench/key-ring"
import { loadAt, quantile, requestOf } from "@/e2e/bench/load"
import { message, nextNumber } from "@/e2e/bench/messages"
import { stopping, type Stage } from "@/e2e/bench/stage"
import { median, type Row } from "@/e2e/bench/table"
import { makeWorld, type World } from "@/e2e/bench/world"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"

/** `load`: of the loads, those whose name fits. */
export type NeighboursPlan = { contacts: number; aloneMs: number; besideMs: number; load: RegExp }

/** The 99th percentiles of what a neighbour does, in milliseconds. */
type Figures = { reads: number; sends: number; delivery: number }

/** What counts for a request that was refused or broken off. */
const lostMs = 60_000
const startMs = 1_000
const restMs = 2_000
/** Reads, and as many sends: enough for a percentile that no single one decides. */
const perSecond = 25
const roundsBeside = 3
/** Messages to one recipient each, as an operator gives them to a large customer: without being raised it is 14. */
const attackerPerSecond = 100
/** Of -20 to 19, where 0 is usual. */
const attackerPriority = 10
const drainWithinMs = 30_000
const timesMax = 2
/** Below it a ratio is noise of the machine. */
const floorMs = 25

/**
 * Reads, sends and delivery of one project beside each load that another organization can make with one key, with two web
 * processes and one worker. The load comes from a process of its own. Alone is the median of what was measured before each load, beside
 * the median of three rounds.
 */
export async function measureNeighbours(
  stage: Stage,
  neighbour: World,
  { contacts, aloneMs, besideMs, load: wanted }: NeighboursPlan,
): Promise<Row[]> {
  const attacker = await makeWorld(1, { perSecondSends: attackerPerSecond })
  await fill(attacker, contacts)
  const sink = await startSink()
  const worker = await stage.startWorker(`smtp://127.0.0.1:${sink.port}?tls=none&delivered=accept&connections=10`)
  try {
    await figuresOf(stage, neighbour, aloneMs)
    const alone: Figures[] = []
    const beside: { load: string; figures: Figures; answers: string }[] = []
    for (const load of (await namesOfLoads()).filter((name) => wanted.test(name))) {
      alone.push(await figuresOf(stage, neighbour, aloneMs))
      const attack = await startAttack(stage, attacker, load)
      await wait(startMs)
      const rounds: Figures[] = []
      for (let round = 0; round < roundsBeside; round++) rounds.push(await figuresOf(stage, neighbour, besideMs))
      beside.push({ load, figures: mediansOf(rounds), answers: await attack.stop() })
      await cleanUp(attacker)
      await wait(restMs)
    }
    const usual = mediansOf(alone)
    return beside.map((one) => rowOf(usual, one))
  } finally {
    await worker.stop()
    await sink.stop()
  }
}

/** One pause of the machine in a round does not decide. */
function mediansOf(rounds: Figures[]): Figures {
  return {
    reads: median(rounds.map(({ reads }) => reads)),
    sends: median(rounds.map(({ sends }) => sends)),
    delivery: median(rounds.map(({ delivery }) => delivery)),
  }
}

function rowOf(alone: Figures, { load, figures, answers }: { load: string; figures: Figures; answers: string }): Row {
  const kinds = ["reads", "sends", "delivery"] as const
  return {
    what: `a neighbour beside ${load}: p99 of reads, sends and delivery / alone, the highest`,
    measured: `${kinds.map((kind) => `${kind} ${alone[kind].toFixed(0)} -> ${figures[kind].toFixed(0)} ms`).join(", ")} (answers to the load: ${answers})`,
    ratio: Math.max(...kinds.map((kind) => Math.max(figures[kind], floorMs) / Math.max(alone[kind], floorMs))),
    goal: timesMax,
    atMost: true,
  }
}

async function figuresOf(stage: Stage, world: World, ms: number): Promise<Figures> {
  const reading = new KeyRing(world.keys.slice(0, world.keys.length / 2), 290)
  const sending = new KeyRing(world.keys.slice(world.keys.length / 2), 290)
  const [reads, sends]: [number[], number[]] = [[], []]
  const startedAt = await databaseNow()
  await Promise.all([
    paced(
      stage.two,
      asking(reading, (key) => requestOf("GET", `/v1/projects/${world.project}/emails?size=20`, { key })),
      {
        ...{ perSecond, ms, took: reads },
      },
    ),
    paced(
      stage.two,
      asking(sending, (key) =>
        requestOf("POST", "/v1/emails", { key, body: JSON.stringify(message(world.domain, nextNumber())) }),
      ),
      { perSecond, ms, took: sends },
    ),
  ])
  await wait(restMs)
  return { reads: p99(reads), sends: p99(sends), delivery: p99(await deliveryMs(world, startedAt)) }
}

const asking = (ring: KeyRing, requestWith: (key: string) => string) => () => {
  const key = ring.connection()
  return () => requestWith(key())
}

async function paced(
  port: number,
  newAsk: () => () => string,
  { perSecond, ms, took }: { perSecond: number; ms: number; took: number[] },
): Promise<void> {
  await loadAt(port, newAsk, { connections: 8, perSecond, ms }, (tookMs) => took.push(tookMs)).catch(() =>
    took.push(...Array.from({ length: 10 }, () => lostMs)),
  )
}

function p99(values: number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.99,
  )
}

async function databaseNow(): Promise<Date> {
  const { rows } = await pool().query<{ now: Date }>("SELECT clock_timestamp() AS now")
  return rows[0]?.now ?? new Date()
}

/** From acceptance to the server's answer; what has not been delivered yet counts up to now. */
async function deliveryMs({ projectId }: World, since: Date): Promise<number[]> {
  const { rows } = await pool().query<{ ms: number }>(
    `SELECT (extract(epoch FROM coalesce(delivered_at, clock_timestamp()) - created_at) * 1000)::float8 AS ms
      FROM deliveries WHERE project_id = $1 AND created_at >= $2`,
    [projectId, since],
  )
  return rows.map(({ ms }) => ms)
}

/** What a load leaves to do would count against the next one. */
async function cleanUp({ projectId }: World) {
  const of = [projectId]
  await pool().query("UPDATE webhooks SET deleted_at = now() WHERE project_id = $1", of)
  await pool().query(
    "UPDATE imports SET status = 'cancelled', due_at = NULL WHERE project_id = $1 AND due_at IS NOT NULL",
    of,
  )
  await pool().query("UPDATE deliveries SET due_at = NULL WHERE project_id = $1 AND due_at IS NOT NULL", of)
}

const newAttacker = () =>
  fork(join(process.cwd(), "e2e", "bench", "attacker.mjs"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })

async function namesOfLoads(): Promise<string[]> {
  const child = newAttacker()
  const { loads } = await answerOf<{ loads: string[] }>(child)
  await stopping(child).stop()
  return loads
}

async function startAttack(stage: Stage, world: World, load: string): Promise<{ stop(): Promise<string> }> {
  const child = newAttacker()
  // Elsewhere it has a machine of its own: what it needs itself is not to count.
  if (child.pid !== undefined) setPriority(child.pid, attackerPriority)
  await answerOf(child)
  const [key] = world.keys
  child.send({
    ...{ load, port: stage.two, project: world.project, domain: world.domain, key },
    domainId: encodeId("dom", world.domainId),
  })
  return {
    async stop() {
      if (child.connected) child.send("stop")
      const ended = answerOf<{ statuses: Record<string, number> }>(child)
      const late = wait(drainWithinMs, null)
      const answer = await Promise.race([ended, late])
      if (!answer) child.kill("SIGKILL")
      return answer
        ? Object.entries(answer.statuses)
            .map(([status, count]) => `${count} x ${status}`)
            .join(", ")
        : "not known"
    },
  }
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  return ((await once(child, "message")) as [T])[0]
}

async function fill({ projectId }: World, contacts: number) {
  const client = await pool().connect()
  try {
    await client.query("SET statement_timeout = 0")
    await client.query(
      `INSERT INTO contacts (id, project_id, email, first_name)
        SELECT gen_random_uuid(), $1, 'c' || n || '@customers.example', 'Person ' || n FROM generate_series(1, $2::int) n`,
      [projectId, contacts],
    )
    await client.query("VACUUM (ANALYZE) contacts")
  } finally {
    client.release(true)
  }
}
