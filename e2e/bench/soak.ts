import { setTimeout as wait } from "node:timers/promises"
import { pool } from "@/lib/platform/database/db"
import { startSink } from "@/e2e/bench/delivery"
import { KeyRing } from "@/e2e/bench/key-ring"
import { loadAt, loadFor, quantile, requestOf } from "@/e2e/bench/load"
import { message, nextNumber } from "@/e2e/bench/messages"
import { memoryMb } from "@/e2e/bench/process-figures"
import { processTree } from "@/e2e/bench/process-tree"
import type { Stage } from "@/e2e/bench/stage"
import { median, type Row } from "@/e2e/bench/table"
import type { World } from "@/e2e/bench/world"

export type SoakPlan = { minutes: number; minuteMs: number; peakMs: number }

/** Of the peak that was measured right before. */
const share = 0.8
const connections = 16
const drainWithinMs = 300_000

type Minute = { took: number[]; webMb: number; workerMb: number }

/** Sends at 80 % of the peak, delivered as they come: whether memory and times stay what they are, and everything arrives. */
export async function measureSoak(stage: Stage, world: World, { minutes, minuteMs, peakMs }: SoakPlan): Promise<Row[]> {
  const ring = new KeyRing(world.keys, 290)
  const ask = () => {
    const key = ring.connection()
    return () =>
      requestOf("POST", "/v1/emails", { key: key(), body: JSON.stringify(message(world.domain, nextNumber())) })
  }
  const sink = await startSink()
  const worker = await stage.startWorker(`smtp://127.0.0.1:${sink.port}?tls=none&delivered=accept&connections=10`)
  try {
    const peaks: number[] = []
    for (let round = 0; round < 3; round++)
      peaks.push((await loadFor(stage.one, ask, { connections, ms: peakMs })).perSecond)
    const perSecond = share * median(peaks)
    await drained(world)
    const before = await countsOf(world)
    const measured: Minute[] = []
    for (let minute = 0; minute < minutes; minute++) {
      const took: number[] = []
      await loadAt(stage.one, ask, { connections, perSecond, ms: minuteMs }, (tookMs) => took.push(tookMs))
      took.sort((a, b) => a - b)
      measured.push({ took, webMb: memoryMb(stage.pids.one) ?? Number.NaN, workerMb: workerMb() })
    }
    await drained(world)
    const after = await countsOf(world)
    const answered = measured.reduce((sum, { took }) => sum + took.length, 0)
    return rowsOf(measured, perSecond, { answered, delivered: after.delivered - before.delivered })
  } finally {
    await worker.stop()
    await sink.stop()
  }
}

function rowsOf(
  measured: Minute[],
  perSecond: number,
  { answered, delivered }: Record<"answered" | "delivered", number>,
) {
  const [early, late] = [measured[1] ?? measured[0], measured.at(-1)] as [Minute, Minute]
  const what = `${measured.length} minutes at 80 % of the peak`
  const compared = (name: string, of: (minute: Minute) => number, unit: string, goal: number): Row => ({
    what: `${what}: ${name}, last minute / second`,
    measured: measured.map((minute) => of(minute).toFixed(0)).join(", ") + ` ${unit}`,
    ...{ ratio: of(late) / of(early), goal, atMost: true },
  })
  return [
    compared("p99", ({ took }) => quantile(took, 0.99), "ms", 1.25),
    compared("memory of the web process", ({ webMb }) => webMb, "MB", 1.1),
    compared("memory of the worker", ({ workerMb: mb }) => mb, "MB", 1.1),
    {
      what: `${what}: accepted and not delivered`,
      measured: `${perSecond.toFixed(0)} sends/s, ${answered} accepted, ${delivered} delivered`,
      ...{ value: answered - delivered, unit: "", goal: 0, atMost: true as const },
    },
  ]
}

function workerMb(): number {
  return processTree(process.pid).find(({ command }) => /dist\/worker\.js/.test(command))?.megabytes ?? Number.NaN
}

/** Until nothing waits to be delivered. */
async function drained({ projectId }: World) {
  const until = performance.now() + drainWithinMs
  for (;;) {
    const { rows } = await pool().query<{ left: number }>(
      "SELECT count(*)::int AS left FROM deliveries WHERE project_id = $1 AND due_at IS NOT NULL",
      [projectId],
    )
    if (rows[0]?.left === 0) return
    if (performance.now() > until) throw new Error(`${rows[0]?.left} deliveries still wait after the load.`)
    await wait(250)
  }
}

async function countsOf({ projectId }: World): Promise<{ delivered: number }> {
  const { rows } = await pool().query<{ delivered: number }>(
    "SELECT count(*)::int AS delivered FROM emails WHERE project_id = $1 AND status = 'delivered'",
    [projectId],
  )
  return rows[0] ?? { delivered: Number.NaN }
}
