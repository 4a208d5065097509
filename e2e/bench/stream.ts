import { connect, type Socket } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { formatNumber } from "@/lib/platform/format"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { KeyRing } from "@/e2e/bench/key-ring"
import { askOnce, quantile, requestOf } from "@/e2e/bench/load"
import { figuresWhile, type ProcessFigures } from "@/e2e/bench/process-figures"
import type { Stage } from "@/e2e/bench/stage"
import type { Row } from "@/e2e/bench/table"
import type { World } from "@/e2e/bench/world"

export type StreamPlan = { listeners: number; eventsPerSecond: number; seconds: number }

/** From the commit of an event to its arrival at every one of many readers, with the worker giving events their order. */
export async function measureStream(stage: Stage, world: World, plan: StreamPlan): Promise<Row[]> {
  const worker = await stage.startWorker()
  const lags: number[] = []
  const sockets: Socket[] = []
  try {
    const key = new KeyRing(world.keys, 1_000_000).connection()()
    const { listeners, eventsPerSecond } = plan
    for (let opened = 0; opened < plan.listeners; opened++) sockets.push(await listenTo(stage.one, world, key, lags))
    const arrived = async (events: number) => {
      for (let polls = 0; polls < 200 && lags.length < events * listeners; polls++) await wait(100)
    }
    // What warms up must be through, or it would be counted with what is measured.
    await arrived(await addEvents(world, { ...plan, seconds: 2 }))
    lags.length = 0
    const { result: added, figures } = await figuresWhile(stage.pids.one, () => addEvents(world, plan))
    await arrived(added)
    lags.sort((a, b) => a - b)
    const lost = added * listeners - lags.length
    const p99 = quantile(lags, 0.99)
    const what = `${formatNumber(listeners)} streams, ${eventsPerSecond} events/s`
    return [
      {
        what: `${what}: from commit to reader, p99`,
        measured: `p50 ${quantile(lags, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${lost} of ${formatNumber(added * listeners)} lost`,
        value: p99,
        unit: "ms",
        goal: 150,
        atMost: true,
      },
      ...(figures ? needed(what, figures) : []),
    ]
  } finally {
    for (const socket of sockets) socket.destroy()
    await worker.stop()
  }
}

/** What the single web process uses in that time. */
function needed(what: string, { cores, mostMb }: ProcessFigures): Row[] {
  return [
    {
      what: `${what}: processor of the web process`,
      measured: `${cores.toFixed(2)} cores`,
      value: cores,
      unit: "cores",
      goal: 1.1,
      atMost: true,
    },
    {
      what: `${what}: its memory, at most`,
      measured: `${mostMb.toFixed(0)} MB`,
      value: mostMb,
      unit: "MB",
      goal: 350,
      atMost: true,
    },
  ]
}

/** A client that reads only the time in each event. */
async function listenTo(port: number, { project }: World, key: string, lags: number[]): Promise<Socket> {
  const { token } = (await askOnce(port, requestOf("POST", `/v1/emails/${project}/stream/token`, { key }))) as {
    token: string
  }
  const socket = connect({ port, host: "127.0.0.1" })
  let rest = ""
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => {
    const text = rest + chunk.toString("latin1")
    const now = Date.now()
    let end = 0
    for (const found of text.matchAll(/"at":"(\d{13})"/g)) {
      lags.push(now - Number(found[1]))
      end = found.index + found[0].length
    }
    rest = text.slice(Math.max(end, text.length - 40))
  })
  socket.write(requestOf("GET", `/v1/emails/stream?token=${token}`, {}))
  await new Promise<void>((resolve) => socket.once("data", () => resolve()))
  return socket
}

/** Commits and announces one event after the other at an even pace. @returns how many */
async function addEvents({ projectId }: World, { eventsPerSecond, seconds }: StreamPlan): Promise<number> {
  const count = eventsPerSecond * seconds
  const startedAt = performance.now()
  for (let at = 0; at < count; at++) {
    await wait(Math.max(0, startedAt + (at * 1_000) / eventsPerSecond - performance.now()))
    await pool().query(
      "INSERT INTO events (id, project_id, email_id, type, data, occurred_at) VALUES ($1, $2, $3, 'delivered', $4, now())",
      [
        newId(),
        projectId,
        newId(),
        { to: "person@customers.example", subject: "Your order is on its way", at: String(Date.now()) },
      ],
    )
    announceWork()
  }
  return count
}
