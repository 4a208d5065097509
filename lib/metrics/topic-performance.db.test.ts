import { beforeAll, describe, expect, test } from "vitest"
import { api, newWorld } from "@/e2e/support/world"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import type { CountableEvent } from "@/lib/metrics/rules"
import { rollUp } from "@/lib/metrics/roll-up/data"
import { transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

const now = new Date("2026-11-21T10:20:30.400Z")
const io = { clock: { now: () => now } }
let sender: Sending
let topic: string
let other: string

beforeAll(async () => {
  sender = await newSending()
  ;[topic, other] = [await newTopic("News"), await newTopic("Sales")]
  const [first = "", second = ""] = await sendMail(sender, { to: ["a@x.example", "b@x.example"], topicId: topic })
  const [plain = ""] = await sendMail(sender)
  const at = (emailId: string, types: string[], occurredAt = "2026-11-20T12:00:00Z"): CountableEvent[] => {
    const deliveryId = newId()
    return types.map((type) => ({
      projectId: sender.projectId,
      emailId,
      deliveryId,
      type: type.replace("machine ", ""),
      data: {
        ...(type === "bounced" ? { bounceType: "hard" } : {}),
        ...(type.startsWith("machine") ? { machine: "true" } : {}),
      },
      occurredAt: new Date(occurredAt),
      seq: 1n,
    }))
  }
  const rounds = [
    [
      ...at(first, ["sent", "delivered", "opened", "opened", "clicked", "unsubscribed"]),
      ...at(plain, ["sent", "delivered", "opened"]),
    ],
    [...at(second, ["bounced"]), ...at(second, ["machine opened"])],
    at(first, ["sent", "delivered"], "2026-10-01T12:00:00Z"),
  ]
  for (const events of rounds) await transaction((client) => rollUp(client, events))
})

async function newTopic(name: string): Promise<string> {
  const body = { name, defaultSubscription: "opt_in" }
  return (
    await api("POST /v1/projects/{projectId}/topics", {
      key: sender.apiKey,
      params: { projectId: sender.project },
      body,
    })
  ).json.id
}

const performance = (id: string, query: Record<string, string> = {}, key = sender.apiKey) =>
  api("GET /v1/metrics/topics/{id}", { key, params: { id }, query, io })

describe("the performance of a topic", () => {
  test("counts the mail of that topic alone, people once each and machines not at all", async () => {
    const { status, json } = await performance(topic)
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        topicId: topic,
        topicName: "News",
        window: { label: "30d", from: "2026-10-22T10:00:00.000Z", to: "2026-11-21T10:20:30.400Z" },
        totalEmails: 2,
        delivered: 1,
        deliveryReported: true,
        deliveryNotReported: 0,
        awaitingReport: 0,
        bounced: 1,
        complained: 0,
        opened: 1,
        clicked: 1,
        unsubscribed: 1,
        readEngaged: 0,
        deliveryRate: 0.5,
        bounceRate: 0.5,
        openRate: 1,
        clickRate: 1,
        complaintRate: 0,
        readEngagementRate: 0,
        unsubscribeRate: 1,
        optInCount: 0,
        optOutCount: 0,
        computedAt: now.toISOString(),
      },
    })
  })

  test("holds the hours of its window, and is nought where there was no mail", async () => {
    expect((await performance(topic, { window: "90d" })).json).toMatchObject({ totalEmails: 3, delivered: 2 })
    expect((await performance(other)).json).toMatchObject({ topicName: "Sales", totalEmails: 0, deliveryRate: 0 })
  })

  test("does not change what the project's own summary counts", async () => {
    const { json } = await api("GET /v1/metrics/summary", { key: sender.apiKey, query: { window: "30d" }, io })
    expect(json).toMatchObject({ sent: 3, delivered: 2, opened: 2 })
  })

  test("of another project's topic is not found", async () => {
    const { apiKey } = await newWorld()
    expect((await performance(topic, {}, apiKey)).status).toBe(404)
  })
})
