import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { otherNode } from "@/lib/cli/checks/programs"
import { KeyRing } from "@/e2e/bench/key-ring"
import { loadFor, requestOf, type Load } from "@/e2e/bench/load"
import { message, nextNumber } from "@/e2e/bench/messages"
import { freePorts, stopping } from "@/e2e/bench/stage"
import { median, ratio, type Row } from "@/e2e/bench/table"
import { webFlags } from "@/lib/server/processes/supervise"
import type { World } from "@/e2e/bench/world"

type Pace = { rounds: number; ms: number; warmMs: number; concurrencies: readonly number[] }

/** Sends by one web process on this Node and by one on the other that the product is tested with, alternating. */
export async function measureNode(world: World, { rounds, ms, warmMs, concurrencies }: Pace): Promise<Row[]> {
  const other = otherNode()
  const ring = new KeyRing(world.keys, 290)
  const ask = () => {
    const key = ring.connection()
    return () =>
      requestOf("POST", "/v1/emails", { key: key(), body: JSON.stringify(message(world.domain, nextNumber())) })
  }
  const [here = 0, there = 0] = await freePorts(2)
  const webs = [startWeb(process.execPath, here), startWeb(other.program, there)]
  try {
    await Promise.all(webs.map((web) => once(web, "message")))
    const run = (port: number, connections: number, forMs = ms) => loadFor(port, ask, { connections, ms: forMs })
    for (const port of [here, there]) await run(port, 64, warmMs)
    const measured = new Map(concurrencies.map((connections) => [connections, [] as { here: Load; there: Load }[]]))
    for (let round = 0; round < rounds; round++) {
      for (const [connections, loads] of measured)
        loads.push({ here: await run(here, connections), there: await run(there, connections) })
    }
    return [...measured].map(([connections, loads]) => {
      const rates = (of: "here" | "there") => loads.map((load) => load[of].perSecond)
      return {
        what: `POST /v1/emails, c=${connections}, Node ${other.version} / Node ${process.versions.node}`,
        measured: `${median(rates("there")).toFixed(0)}/s, ${median(rates("here")).toFixed(0)}/s`,
        ratio: ratio(rates("there"), rates("here")),
      }
    })
  } finally {
    await Promise.all(webs.map((web) => stopping(web).stop()))
  }
}

/** As the start runs it, but for the cluster, which has one Node. */
function startWeb(program: string, port: number): ChildProcess {
  return spawn(program, [...webFlags, join(process.cwd(), "dist", "web.js")], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
}
