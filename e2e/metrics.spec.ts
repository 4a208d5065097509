import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "@playwright/test"
import { startOwnProduct, type OwnProduct } from "@/e2e/support/chaos/own-product"
import { freePort } from "@/e2e/support/free-port"
import { startPrometheus } from "@/e2e/support/prometheus"

let product: OwnProduct
let metricsPort: number
let scrape: () => Promise<Map<string, number>>

test.beforeAll(async () => {
  test.setTimeout(300_000)
  metricsPort = await freePort()
  product = await startOwnProduct({ WEB_PROCESSES: "2", METRICS_PORT: String(metricsPort) })
  scrape = async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4")
    return parsed(await response.text())
  }
})

test.afterAll(() => product.stop())

test("one scrape has the metrics of all processes, and a real send raises the counters", async () => {
  const before = await scrape()
  for (const name of ["web 1", "web 2", "heavy", "worker", "mail", "sandbox"]) {
    expect(before.get(`mailroom_process_up{process="${name}"}`), name).toBe(1)
    expect(before.get(`process_cpu_seconds_total{process="${name}"}`), name).toBeGreaterThan(0)
    expect(before.get(`process_resident_memory_bytes{process="${name}"}`), name).toBeGreaterThan(10e6)
  }
  expect(before.get('mailroom_database_up{process="supervisor"}')).toBe(1)
  await expect
    .poll(async () => (await scrape()).get('mailroom_worker_reaches_region{region="eu-west-1",process="worker"}'))
    .toBe(1)

  await send()
  await expect
    .poll(
      async () => {
        const after = await scrape()
        const moved = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
        const ofType = (type: string) => moved(`mailroom_events_dispatched_total{type="${type}"}`)
        return [
          moved('mailroom_http_requests_total{method="POST",route="/v1/emails",status="2xx"}'),
          moved("mailroom_emails_accepted_total"),
          moved('mailroom_delivery_attempts_total{region="eu-west-1",outcome="accepted"}'),
          ...[ofType("sent"), ofType("delivered")],
          moved("mailroom_accept_group_sends_count"),
        ]
      },
      { timeout: 20_000 },
    )
    .toEqual([1, 1, 1, 1, 1, 1])
})

test("a Prometheus on this product evaluates every alert and every panel of the kit, and each has what the product counts", async () => {
  await send()
  const prometheus = await startPrometheus(metricsPort, "lib/deploy/alerts.yml")
  try {
    const isEvaluated = async () => (await prometheus.rules()).every(({ health }) => health !== "unknown")
    await expect.poll(isEvaluated).toBe(true)
    const rules = await prometheus.rules()
    expect(rules.length).toBeGreaterThan(10)
    expect(rules.filter(({ health }) => health !== "ok")).toEqual([])

    const { panels } = JSON.parse(readFileSync("lib/deploy/grafana.json", "utf8")) as Board
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    expect(expressions.length).toBeGreaterThan(10)
    const counted = new Set([...(await scrape()).keys()].map((series) => series.replace(/\{.*/, "")))
    // A rate takes two scrapes.
    const empty = async () => {
      const shown = await Promise.all(
        expressions.map(async (expr) => ({ expr, series: (await prometheus.query(expr)).length })),
      )
      return shown.filter(({ expr, series }) => series === 0 && namesOf(expr).some((name) => counted.has(name)))
    }
    await expect.poll(empty).toEqual([])
  } finally {
    await prometheus.stop()
  }
})

type Board = { panels: { targets?: { expr: string }[] }[] }

function namesOf(expression: string): string[] {
  return expression.match(/\b(mailroom|process)_[a-z_]+/g) ?? []
}

test("a web process that is killed takes nothing from the sums, and the next scrape has its successor", async () => {
  await send()
  await expect.poll(async () => (await scrape()).get("mailroom_emails_accepted_total")).toBeGreaterThanOrEqual(2)
  const before = await scrape()
  for (const pid of product.running("web")) process.kill(pid, "SIGKILL")
  const sums = [...before].filter(([name]) =>
    /^mailroom_(emails_accepted_total|sends_total|http_requests_total)/.test(name),
  )
  expect(sums.length).toBeGreaterThan(2)
  await expect
    .poll(
      async () => {
        const now = await scrape()
        for (const [name, value] of sums) expect(now.get(name) ?? 0, name).toBeGreaterThanOrEqual(value)
        return [now.get('mailroom_process_up{process="web 1"}'), now.get('mailroom_process_up{process="web 2"}')]
      },
      { timeout: 90_000 },
    )
    .toEqual([1, 1])
  const listens = () =>
    fetch(`${product.baseUrl}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(listens, { timeout: 90_000 }).toBe(true)
})

test("a large email and an export are answered by the process for heavy requests, and by a web process while that one is gone", async () => {
  const cpu = async () => (await scrape()).get('process_cpu_seconds_total{process="heavy"}') ?? 0
  const before = await cpu()
  for (let n = 0; n < 10; n++) await send("x".repeat(2_000_000))
  expect(await cpu()).toBeGreaterThan(before + 0.1)
  const headers = { authorization: `Bearer ${product.apiKey}` }
  const exported = () => fetch(`${product.baseUrl}/v1/projects/${product.projectId}/emails/export`, { headers })
  expect((await (await exported()).text()).split("\n").length).toBeGreaterThan(10)

  const [gone = 0] = product.running("heavy")
  process.kill(gone, "SIGKILL")
  await expect.poll(() => existsSync(`/proc/${gone}`)).toBe(false)
  await send("x".repeat(2_000_000))
  expect((await exported()).status).toBe(200)
  await expect
    .poll(async () => (await scrape()).get('mailroom_process_up{process="heavy"}'), { timeout: 90_000 })
    .toBe(1)
  await send("x".repeat(2_000_000))
  expect((await exported()).status).toBe(200)
})

test("the public port knows nothing of metrics", async () => {
  for (const path of ["/metrics", "/v1/metrics", "/metrics/"]) {
    const response = await fetch(`${product.baseUrl}${path}`, { redirect: "manual" })
    expect(await response.text(), path).not.toContain("mailroom_")
    expect(response.status, path).not.toBe(200)
  }
})

async function send(text = "Hi") {
  const response = await fetch(`${product.baseUrl}/v1/emails`, {
    method: "POST",
    headers: { authorization: `Bearer ${product.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ from: product.from, to: ["ada@lovelace.example"], subject: "Counted", text }),
  })
  expect(response.status).toBe(201)
}

function parsed(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  )
}
