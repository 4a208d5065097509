import { createServer, type AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { runSandbox } from "@/lib/sandbox/run"
import { runWorker } from "@/lib/worker/run"

const stop = new AbortController()
let world: World
let sandbox: Promise<void>
let worker: Promise<void>

beforeAll(async () => {
  provideEnv({ SANDBOX_DNS_PORT: String(await freePort()), SANDBOX_SMTP_PORT: String(await freePort()) })
  world = await newWorld()
  sandbox = runSandbox(stop.signal)
  worker = runWorker(stop.signal)
})

afterAll(async () => {
  stop.abort()
  await Promise.all([sandbox, worker])
})

test(
  "a domain under .test verifies, its mail arrives with DKIM and SPF pass, and the events get their order",
  { timeout: 40_000 },
  async () => {
    const domain = await api("POST /v1/projects/{projectId}/domains", {
      key: world.apiKey,
      params: { projectId: world.project },
      body: { domain: "newcomer.test", region: "eu-west-1" },
    })
    expect(domain.status).toBe(201)
    const params = { projectId: world.project, domainId: domain.json.id }
    await vi.waitFor(
      async () => {
        const { json } = await api("GET /v1/projects/{projectId}/domains/{domainId}", { key: world.apiKey, params })
        expect(json.status).toBe("verified")
      },
      { timeout: 30_000, interval: 250 },
    )

    const id = await send({ to: ["ada@lovelace.example"] })
    await reaches(id, "delivered")
    const {
      rows: [message],
    } = await pool().query("SELECT * FROM sandbox_messages WHERE project_id = $1", [world.projectId])
    expect(message).toMatchObject({ dkim: "pass", spf: "pass", rcpt_to: "ada@lovelace.example" })
    await vi.waitFor(async () => {
      const { rows } = await pool().query(
        "SELECT type FROM events WHERE project_id = $1 AND seq IS NOT NULL ORDER BY seq",
        [world.projectId],
      )
      expect(rows.map(({ type }) => type)).toEqual(["queued", "sent", "delivered"])
    })

    const delivered = await send({ to: ["delivered@simulator.mailroom.test"] })
    const bounced = await send({ to: ["bounced@simulator.mailroom.test"] })
    const labelled = await send({ to: ["bounced+me@simulator.mailroom.test"] })
    await reaches(delivered, "delivered")
    await reaches(bounced, "bounced")
    await reaches(labelled, "bounced")
    const { rows } = await pool().query("SELECT email FROM suppressions WHERE project_id = $1", [world.projectId])
    expect(rows).toEqual([{ email: "bounced+me@simulator.mailroom.test" }])
    const { rows: events } = await pool().query(
      "SELECT DISTINCT data->>'simulator' AS simulator FROM events WHERE type = 'bounced'",
    )
    expect(events).toEqual([{ simulator: "true" }])
  },
)

async function send(mail: Record<string, unknown>): Promise<string> {
  const body = { from: "Newcomer <hello@newcomer.test>", subject: "Hello", text: "It works.", ...mail }
  const { json, status } = await api("POST /v1/emails", { key: world.apiKey, body })
  expect(status).toBe(201)
  return json.id
}

async function reaches(emailId: string, status: string) {
  await vi.waitFor(
    async () => {
      const { json } = await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId } })
      expect(json.status).toBe(status)
    },
    { timeout: 10_000, interval: 100 },
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((listening) => server.once("listening", listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
