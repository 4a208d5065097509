import { pool } from "@/lib/platform/database/db"
import { acceptFor } from "@/e2e/bench/accept-floor"
import { KeyRing } from "@/e2e/bench/key-ring"
import { loadFor, requestOf, type Load } from "@/e2e/bench/load"
import { message, nextNumber } from "@/e2e/bench/messages"
import { memoryMb } from "@/e2e/bench/process-figures"
import { median, ratio, type Row } from "@/e2e/bench/table"
import type { Stage } from "@/e2e/bench/stage"
import type { World } from "@/e2e/bench/world"

export type Pace = { rounds: number; ms: number; warmMs: number; concurrencies: readonly number[] }

type Target = "floor" | "one" | "two"
const targets = ["floor", "one", "two"] as const
type Measured = Record<Target | "accept", Load[]>

/** The goals of one web process beside the bare handler, by connections. */
const goals: Record<number, number> = { 1: 0.8, 16: 2, 64: 3 }
const memoryMostMb = 350

/**
 * Sends a second through `POST /v1/emails`, each answered once it is durable, beside two baselines: the bare handler, and the
 * accept alone as a call of this process.
 */
export async function measureAccept(
  stage: Stage,
  world: World,
  { rounds, ms, warmMs, concurrencies }: Pace,
): Promise<Row[]> {
  const ring = new KeyRing(world.keys, 290)
  const asks = { floor: floorAsk, one: () => sendAsk(world, ring), two: () => sendAsk(world, ring) }
  const measured = concurrencies.map((): Measured => ({ floor: [], one: [], two: [], accept: [] }))
  const memory = { floor: [] as number[], one: [] as number[] }
  const run = (target: Target, connections: number, forMs = ms) =>
    loadFor(stage[target], asks[target], { connections, ms: forMs })

  // Until the code is compiled and the tables have been analysed.
  for (const target of targets) await run(target, 64, warmMs)
  await acceptFor(world, { connections: 64, ms })
  await pool().query("ANALYZE")
  for (let round = 0; round < rounds; round++) {
    for (const [at, connections] of concurrencies.entries()) {
      for (const target of targets) {
        measured[at]?.[target].push(await run(target, connections))
        if (target !== "two") memory[target].push(memoryMb(stage.pids[target]) ?? Number.NaN)
      }
      measured[at]?.accept.push(await acceptFor(world, { connections, ms }))
    }
  }
  const rows = concurrencies.flatMap((connections, at) => rowsOf(connections, measured[at] as Measured))
  return memory.one.some(Number.isNaN) ? rows : [...rows, memoryRow(memory)]
}

function memoryRow({ floor, one }: { floor: number[]; one: number[] }): Row {
  return {
    what: "memory of the web process right after the last load",
    measured: `bare handler ${(floor.at(-1) ?? Number.NaN).toFixed(0)} MB`,
    ...{ value: one.at(-1) ?? Number.NaN, unit: "MB", goal: memoryMostMb, atMost: true },
  }
}

function rowsOf(connections: number, { floor, one, two, accept }: Measured): Row[] {
  const rate = ({ perSecond }: Load) => perSecond
  const rates = (name: string, loads: Load[]) =>
    `${name} ${median(loads.map(rate)).toFixed(0)}/s (p50 ${median(loads.map((load) => load.p50Ms)).toFixed(1)} ms, p99 ${median(loads.map((load) => load.p99Ms)).toFixed(1)} ms)`
  const rows: Row[] = [
    {
      what: `POST /v1/emails, c=${connections}, one web process / bare handler`,
      measured: `${rates("send", one)}, ${rates("bare", floor)}`,
      ratio: ratio(one.map(rate), floor.map(rate)),
      goal: goals[connections],
    },
    {
      what: `POST /v1/emails, c=${connections} / the accept alone, called in process`,
      measured: rates("accept", accept),
      ratio: ratio(one.map(rate), accept.map(rate)),
    },
    {
      what: `POST /v1/emails, c=${connections}, two web processes / one`,
      measured: rates("send", two),
      ratio: ratio(two.map(rate), one.map(rate)),
      ...(connections > 1 ? { goal: 1.4 } : {}),
    },
  ]
  if (connections === 16) {
    const p99 = ({ p99Ms }: Load) => p99Ms
    rows.push({
      what: "p99 of a send / of the bare handler, c=16",
      measured: "",
      ratio: ratio(one.map(p99), floor.map(p99)),
      ...{ goal: 0.8, atMost: true },
    })
  }
  return rows
}

function floorAsk() {
  return () => requestOf("POST", "/echo", { body: JSON.stringify(message("acme.example", nextNumber())) })
}

function sendAsk({ domain }: World, ring: KeyRing) {
  const key = ring.connection()
  return () => requestOf("POST", "/v1/emails", { key: key(), body: JSON.stringify(message(domain, nextNumber())) })
}
