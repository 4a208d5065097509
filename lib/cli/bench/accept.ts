import { pool } from "@/lib/platform/database/db"
import { KeyRing } from "@/lib/cli/bench/key-ring"
import { loadFor, requestOf, type Load } from "@/lib/cli/bench/load"
import { message, nextNumber } from "@/lib/cli/bench/messages"
import { memoryMb } from "@/lib/cli/bench/process-figures"
import { median, ratio, type Row } from "@/lib/cli/bench/table"
import type { Stage } from "@/lib/cli/bench/stage"
import type { World } from "@/lib/cli/bench/world"

export type Pace = { rounds: number; ms: number; warmMs: number; concurrencies: readonly number[] }

type Target = "floor" | "one" | "two"
const targets = ["floor", "one", "two"] as const

/** Sends a second through `POST /v1/emails`, each answered once it is durable, beside the bare handler. */
export async function measureAccept(
  stage: Stage,
  world: World,
  { rounds, ms, warmMs, concurrencies }: Pace,
): Promise<Row[]> {
  const ring = new KeyRing(world.keys, 290)
  const asks = { floor: floorAsk, one: () => sendAsk(world, ring), two: () => sendAsk(world, ring) }
  const measured = new Map<string, Load[]>()
  const memory = { floor: [] as number[], one: [] as number[] }
  const run = (target: Target, connections: number, forMs = ms) =>
    loadFor(stage[target], asks[target], { connections, ms: forMs })

  // Until the code is compiled and the tables have been analysed.
  for (const target of targets) await run(target, 64, warmMs)
  await pool().query("ANALYZE")
  for (let round = 0; round < rounds; round++) {
    for (const connections of concurrencies) {
      for (const target of targets) {
        const name = `${target} ${connections}`
        measured.set(name, [...(measured.get(name) ?? []), await run(target, connections)])
        if (target !== "two") memory[target].push(memoryMb(stage.pids[target]) ?? Number.NaN)
      }
    }
  }
  const rows = concurrencies.flatMap((connections) =>
    rowsOf(connections, (target) => measured.get(`${target} ${connections}`) ?? []),
  )
  return memory.one.some(Number.isNaN) ? rows : [...rows, memoryRow(memory)]
}

function memoryRow({ floor, one }: { floor: number[]; one: number[] }): Row {
  return {
    what: "memory of the web process right after each load / of the bare handler",
    measured: `web ${median(one).toFixed(0)} MB, bare ${median(floor).toFixed(0)} MB`,
    ratio: ratio(one, floor),
    goal: 1.6,
    atMost: true,
  }
}

function rowsOf(connections: number, of: (target: Target) => Load[]): Row[] {
  const [floor, one, two] = targets.map(of) as [Load[], Load[], Load[]]
  const rate = ({ perSecond }: Load) => perSecond
  const rates = (name: string, loads: Load[]) =>
    `${name} ${median(loads.map(rate)).toFixed(0)}/s (p50 ${median(loads.map((load) => load.p50Ms)).toFixed(1)} ms, p99 ${median(loads.map((load) => load.p99Ms)).toFixed(1)} ms)`
  const rows: Row[] = [
    {
      what: `POST /v1/emails, c=${connections}, one web process / bare handler`,
      measured: `${rates("send", one)}, ${rates("bare", floor)}`,
      ratio: ratio(one.map(rate), floor.map(rate)),
      goal: connections === 1 ? 0.5 : 0.8,
    },
    {
      what: `the same, two web processes / one`,
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
      goal: 2,
      atMost: true,
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
