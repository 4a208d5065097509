import { afterAll, expect, test } from "vitest"
import { api } from "@/e2e/support/world"
import { create, newBroadcaster, newMembers, read, runDue } from "@/e2e/support/broadcasting"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, relayAt, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { encodeId, firstIdAt } from "@/lib/platform/ids"
import { streamHub } from "@/lib/stream/hub"
import { dispatchAll } from "@/lib/worker/dispatcher"

afterAll(() => streamHub().close())

test("results are counted from the events of its emails; metrics and stream can be asked for one broadcast", async () => {
  const relay = await faultServer({
    RCPT: (_socket, count) => (count === 2 ? "550 5.1.1 unknown" : "250 2.1.5 ok"),
  })
  const sender = await newBroadcaster()
  await pool().query("UPDATE deliveries SET due_at = NULL")
  const { segmentId } = await newMembers(sender, 3)
  const id = await create(sender, [segmentId])
  await runDue()
  await deliverDue(relayAt(relay.port))
  const other = await create(sender, ["elsewhere@x.example"])
  await runDue()
  await deliverDue(relayAt(relay.port))
  await dispatchAll()
  await relay.close()
  expect((await read(sender, id)).counts).toMatchObject({ sent: 3, delivered: 2, bounced: 1, failed: 0 })
  expect((await read(sender, other)).counts).toMatchObject({ sent: 1, delivered: 1, bounced: 0 })

  const metrics = (route: "summary" | "timeline", query: object) =>
    api(`GET /v1/metrics/${route}`, { key: sender.apiKey, query: { window: "24h", ...query } })
  expect((await metrics("summary", { broadcastId: id })).json).toMatchObject({ sent: 3, delivered: 2, bounced: 1 })
  expect((await metrics("summary", {})).json.sent).toBe(4)
  expect((await metrics("timeline", { broadcastId: id })).json.totals).toMatchObject({ sent: 3, bounced: 1 })
  const both = await metrics("summary", { broadcastId: id, domain: sender.domain })
  expect(both.json.errors).toMatchObject([{ pointer: "query/broadcastId" }])

  const [email] = (await emailsOf(sender, other)).data
  const events = await streamed(sender, other, 2)
  expect(events.map(({ type, emailId }) => [type, emailId])).toEqual([
    ["sent", email?.id],
    ["delivered", email?.id],
  ])
})

async function emailsOf(sender: Sending, broadcastId: string): Promise<{ data: { id: string }[] }> {
  const params = { projectId: sender.project }
  return (await api("GET /v1/projects/{projectId}/emails", { key: sender.apiKey, params, query: { broadcastId } })).json
}

/** The first events that a stream of one broadcast brings, from before there were any. */
async function streamed(sender: Sending, broadcastId: string, count: number) {
  const { json } = await api("POST /v1/emails/{projectId}/stream/token", {
    ...{ key: sender.apiKey, params: { projectId: sender.project } },
  })
  const after = encodeId("evt", firstIdAt(new Date(Date.now() - 3600_000)))
  const { response } = await api("GET /v1/emails/stream", { query: { token: json.token, broadcastId, after } })
  const reader = response.body?.getReader()
  const events: { type: string; emailId: string }[] = []
  while (reader && events.length < count) {
    const { value, done } = await reader.read()
    if (done) break
    const lines = new TextDecoder().decode(value).split("\n\n")
    for (const line of lines) if (line.startsWith("data: ")) events.push(JSON.parse(line.slice("data: ".length)))
  }
  await reader?.cancel()
  return events
}
