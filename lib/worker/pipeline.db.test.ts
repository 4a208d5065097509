import { expect, test, vi } from "vitest"
import { freePort } from "@/e2e/support/free-port"
import { api, newWorld } from "@/e2e/support/world"
import { env } from "@/lib/platform/env/env"
import { runSandbox } from "@/lib/sandbox/run"
import { unsubscribe } from "@/lib/tracking/links"
import { runWorker } from "@/lib/worker/run"
import { regionSettings } from "@/lib/regions/settings"

test("an email goes from 201 to the sandbox mailbox, its events into their order and its counts into the summary", async () => {
  Object.assign(regionSettings(), { sandboxDnsPort: await freePort(), sandboxSmtpPort: await freePort() })
  const stop = new AbortController()
  const sandbox = runSandbox(stop.signal)
  const worker = runWorker(stop.signal)
  const world = await newWorld()
  const call = { key: world.apiKey, params: { projectId: world.project } }
  const until = { timeout: 30_000, interval: 250 }

  const domain = await api("POST /v1/projects/{projectId}/domains", {
    ...call,
    body: { domain: "acme.test", region: "eu-west-1" },
  })
  const params = { projectId: world.project, domainId: domain.json.id }
  await vi.waitFor(
    async () => {
      const { json } = await api("GET /v1/projects/{projectId}/domains/{domainId}", { key: world.apiKey, params })
      expect(json.status).toBe("verified")
    },
    { ...until, interval: 1_000 },
  )

  const to = ["ada@lovelace.example", "delivered+a@simulator.mailroom.test", "bounced+a@simulator.mailroom.test"]
  const body = {
    from: "Acme <hello@acme.test>",
    to,
    subject: "Hello",
    text: "Hi",
    trackingSettings: { unsubscribeTracking: true },
  }
  const sent = await api("POST /v1/emails", { ...call, body })
  expect(sent.status).toBe(201)
  const status = async (index: number) =>
    (await api("GET /v1/emails/{emailId}", { key: world.apiKey, params: { emailId: sent.json.messages[index].id } }))
      .json.status
  await vi.waitFor(
    async () =>
      expect([await status(0), await status(1), await status(2)]).toEqual(["delivered", "delivered", "bounced"]),
    until,
  )

  const { json: mailbox } = await api("GET /v1/projects/{projectId}/sandbox/messages", call)
  expect(mailbox.data).toHaveLength(2)
  for (const item of mailbox.data)
    expect(item).toMatchObject({ dkim: "pass", spf: "pass", dmarc: "pass", subject: "Hello" })

  await vi.waitFor(async () => {
    const { json } = await api("GET /v1/metrics/summary", { key: world.apiKey })
    expect(json).toMatchObject({ sent: 1, delivered: 1, bounced: 0, deliveryRate: 1 })
  }, until)

  const messageId = mailbox.data.find((item: { to: string }) => item.to === "ada@lovelace.example").id
  const message = await api("GET /v1/projects/{projectId}/sandbox/messages/{messageId}", {
    key: world.apiKey,
    params: { projectId: world.project, messageId },
  })
  const [, token = ""] = /List-Unsubscribe: <[^>]+\/u\/([^>]+)>/.exec(message.json.raw) ?? []
  expect((await unsubscribe(new Request(env().baseUrl, { method: "POST" }), token)).status).toBe(200)
  await vi.waitFor(async () => {
    expect((await api("GET /v1/metrics/summary", { key: world.apiKey })).json.unsubscribed).toBe(1)
  }, until)
  const again = await api("POST /v1/emails", { ...call, body: { ...body, to: message.json.to } })
  expect(again.json.status).toBe("suppressed")
  stop.abort()
  await Promise.all([worker, sandbox])
}, 60_000)
