import { once } from "node:events"
import { Agent, request } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { createWebServer } from "@/lib/server/web/web-server"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, newSending, relayAt, sendMail } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { serveTracking } from "@/lib/tracking/serve/serve"
import { ageEmail, judgeAll, person, trackedPaths } from "@/e2e/support/reader"

const perSecond = 500
const seconds = 10
const emails = 100
const links = 10

// A machine with other work beside it answers later, whatever the product does.
test.skipIf(size(true, false))(
  "500 clicks a second are answered within 20 ms at the 99th percentile, and all of them are recorded",
  async () => {
    const paths = await clickablePaths()
    const web = createWebServer({ handle: () => {}, serveFirst: serveTracking, trustedProxyHops: 1 })
    web.server.listen(0, "127.0.0.1")
    await once(web.server, "listening")
    const { port } = web.server.address() as AddressInfo
    const agent = new Agent({ keepAlive: true, maxSockets: 64 })
    // Targets are in memory when the clicks begin. HEAD is a machine's, and so would be a click of its client right after it.
    for (const path of paths) await click(path, { port, agent, nth: perSecond * seconds }, "HEAD")
    await judgeAll()
    const latencies: number[] = []
    const clicks: Promise<void>[] = []
    const startedAt = performance.now()
    const cpuBefore = process.cpuUsage()
    const dueAt = (nth: number) => startedAt + (nth * 1_000) / perSecond
    for (let nth = 0; nth < perSecond * seconds; await wait(1)) {
      // Open loop: a slow response delays no other request, and its wait counts.
      for (; nth < perSecond * seconds && dueAt(nth) <= performance.now(); nth++) {
        const due = dueAt(nth)
        const done = click(paths[nth % paths.length] ?? "", { port, agent, nth })
        clicks.push(done.then(() => void latencies.push(performance.now() - due)))
      }
    }
    await Promise.all(clicks)
    const { user, system } = process.cpuUsage(cpuBefore)
    agent.destroy()
    await web.drain(1_000)
    latencies.sort((a, b) => a - b)
    const at = (share: number) => Number((latencies[Math.floor(latencies.length * share)] ?? Infinity).toFixed(1))
    figures("redirects of tracked links", {
      perSecond,
      seconds,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: at(0.9999),
      cpuMsEach: ((user + system) / 1_000 / clicks.length).toFixed(2),
    })
    expect(at(0.99)).toBeLessThanOrEqual(20)
    await judgeAll()
    const { rows } = await pool().query(
      "SELECT count(*)::int AS clicks FROM events WHERE type = 'clicked' AND data->>'url' LIKE '%load.example%' AND data->>'machine' IS NULL",
    )
    expect(rows[0].clicks).toBe(perSecond * seconds)
  },
  120_000,
)

async function clickablePaths(): Promise<string[]> {
  const sender = await newSending()
  await pool().query("UPDATE projects SET max_recipients = 1000, per_second_sends = 1000 WHERE id = $1", [
    sender.projectId,
  ])
  const smtp = await faultServer({})
  const relays = relayAt(smtp.port)
  const html = Array.from({ length: links }, (_, nth) => `<a href="https://load.example/${nth}">x</a>`).join("")
  const to = Array.from({ length: emails }, (_, nth) => `load${nth}@load.example`)
  const ids = await sendMail(sender, { to, html, trackingSettings: { clickTracking: true } })
  await deliverDue(relays)
  await relays.close()
  await smtp.close()
  for (const id of ids) await ageEmail(id)
  const found = await Promise.all(smtp.messages.filter((each) => each.includes("load")).map(trackedPaths))
  return found.flatMap((each) => each.links)
}

type At = { port: number; agent: Agent; nth: number }

async function click(path: string, { port, agent, nth }: At, method = "GET"): Promise<void> {
  const headers = { host: "localhost:3000", "user-agent": person, "x-forwarded-for": `203.0.${nth >> 8}.${nth & 255}` }
  const asked = request({ host: "127.0.0.1", port, method, path, agent, headers }).end()
  const [response] = (await once(asked, "response")) as [import("node:http").IncomingMessage]
  if (response.statusCode !== 302) throw new Error(`A click was answered with ${response.statusCode}.`)
  response.resume()
  await once(response, "end")
}
