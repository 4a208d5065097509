import { Counter, Gauge, Histogram, Registry } from "prom-client"
import { expect, test } from "vitest"
import type { ToChild } from "@/lib/server/processes/supervise"
import { createMetricsAggregator, type MetricsAggregator, serveMetrics } from "@/lib/server/metrics/server"

test("counters of all processes are added up, gauges and process figures are labelled by process", async () => {
  const gathering = createMetricsAggregator(new Registry())
  const [a, b] = [started(gathering, "web 1"), started(gathering, "web 2")]
  a.sends.inc({ outcome: "accepted" }, 3)
  b.sends.inc({ outcome: "accepted" }, 4)
  b.seconds.observe(0.2)
  a.open.set(2)
  b.open.set(5)

  const text = await gathering.scrape()
  expect(lines(text)).toMatchObject({
    'mailroom_sends_total{outcome="accepted"}': "7",
    mailroom_seconds_count: "1",
    'mailroom_open{process="web 1"}': "2",
    'mailroom_open{process="web 2"}': "5",
    'mailroom_process_up{process="web 1"}': "1",
  })
})

test("a process that ends and starts again takes nothing from the sums", async () => {
  const gathering = createMetricsAggregator(new Registry())
  const [a, b] = [started(gathering, "web 1"), started(gathering, "web 2")]
  a.sends.inc({ outcome: "accepted" }, 3)
  b.sends.inc({ outcome: "accepted" }, 4)
  a.open.set(2)
  expect(lines(await gathering.scrape())).toMatchObject({ 'mailroom_sends_total{outcome="accepted"}': "7" })

  a.die()
  const between = lines(await gathering.scrape())
  expect(between).toMatchObject({
    'mailroom_sends_total{outcome="accepted"}': "7",
    'mailroom_process_up{process="web 1"}': "0",
  })
  expect(between).not.toHaveProperty('mailroom_open{process="web 1"}')

  a.begin()
  a.sends.inc({ outcome: "accepted" })
  expect(lines(await gathering.scrape())).toMatchObject({
    'mailroom_sends_total{outcome="accepted"}': "8",
    'mailroom_process_up{process="web 1"}': "1",
  })
  a.die()
  a.begin()
  expect(lines(await gathering.scrape())).toMatchObject({ 'mailroom_sends_total{outcome="accepted"}': "8" })
})

test("a process that hangs delays a scrape by a second and still counts in the sums", async () => {
  const gathering = createMetricsAggregator(new Registry())
  const a = started(gathering, "worker")
  a.sends.inc({ outcome: "accepted" }, 3)
  await gathering.scrape()
  a.hang()
  expect(lines(await gathering.scrape())).toMatchObject({
    'mailroom_sends_total{outcome="accepted"}': "3",
    'mailroom_process_up{process="worker"}': "0",
  })
})

test("the metrics are at /metrics alone, and read-only", async () => {
  const { port, close } = await serveMetrics({ host: "127.0.0.1", port: 0 }, async () => "up 1\n")
  const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  expect(await (await at("/metrics")).text()).toBe("up 1\n")
  expect((await at("/")).status).toBe(404)
  expect((await at("/metrics", { method: "POST" })).status).toBe(405)
  await close()
})

/** A process that counts like ours, and answers over its channel. */
function started(gathering: MetricsAggregator, name: string) {
  const source = gathering.source(name)
  let alive = true
  let hangs = false
  const process = {
    ...counting(),
    begin: () => void Object.assign(process, counting(), { alive: (alive = true) }),
    die() {
      alive = false
      source.ended()
    },
    hang: () => void (hangs = true),
  }
  source.connect((message: ToChild) => {
    if (alive && !hangs && message === "metrics")
      void process.register.getMetricsAsJSON().then((metrics) => source.received({ metrics }))
    return alive
  })
  return process
}

function counting() {
  const register = new Registry()
  const registers = [register]
  return {
    register,
    sends: new Counter({ name: "mailroom_sends_total", help: "h", labelNames: ["outcome"], registers }),
    seconds: new Histogram({ name: "mailroom_seconds", help: "h", buckets: [0.1, 1], registers }),
    open: new Gauge({ name: "mailroom_open", help: "h", registers }),
  }
}

function lines(text: string): Record<string, string> {
  const pairs = text.split("\n").filter((line) => line && !line.startsWith("#"))
  return Object.fromEntries(
    pairs.map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]),
  )
}
