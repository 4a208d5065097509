import { expect, test } from "vitest"
import { api, newKey, newWorld } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

const route = "POST /v1/projects/{projectId}/emails/check-recipients"

test("each address is told what a send would make of it, by this project's list alone", async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  for (const [projectId, email, reason] of [
    [world.projectId, "gone@x.example", "bounce"],
    [other.projectId, "ada@x.example", "manual"],
  ]) {
    await pool().query("INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, $3, $4)", [
      newId(),
      projectId,
      email,
      reason,
    ])
  }
  const addresses = ["Ada <ada@x.example>", "Gone@X.example", "suppressed+a@simulator.mailroom.test", "no address"]
  const { status, json } = await api(route, {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { addresses },
  })
  expect(status).toBe(200)
  expect(json.data).toEqual([
    { address: "Ada <ada@x.example>", state: "sendable" },
    { address: "Gone@X.example", state: "suppressed", reason: "bounce" },
    { address: "suppressed+a@simulator.mailroom.test", state: "suppressed", reason: "simulator" },
    { address: "no address", state: "invalid", reason: expect.any(String) },
  ])
})

test("an address with text that cannot be stored is invalid, and the others have their state", async () => {
  const world = await newWorld()
  const addresses = ["cut\ud83d@x.example", "a@x.example", "nul\0@x.example"]
  const { status, json } = await api(route, {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { addresses },
  })
  expect(status, "the status").toBe(200)
  expect(
    json.data.map(({ address, state }: { address: string; state: string }) => [address, state]),
    "the state of each address",
  ).toEqual([
    ["cut\ud83d@x.example", "invalid"],
    ["a@x.example", "sendable"],
    ["nul\0@x.example", "invalid"],
  ])
})

test("with a topic, who is out of it is told so by its name, and an unknown topic is refused", async () => {
  const world = await newWorld()
  const params = { projectId: world.project }
  const topicOf = async (defaultSubscription: string) =>
    (
      await api("POST /v1/projects/{projectId}/topics", {
        key: world.apiKey,
        params,
        body: { name: `Product news ${defaultSubscription}`, defaultSubscription },
      })
    ).json.id
  const [news, offers] = [await topicOf("opt_in"), await topicOf("opt_out")]
  for (const [email, topics] of [
    ["in@x.example", []],
    ["out@x.example", [{ id: news, subscription: "opt_out" }]],
  ] as const) {
    await api("POST /v1/projects/{projectId}/contacts", { key: world.apiKey, params, body: { email, topics } })
  }
  const addresses = ["in@x.example", "Out@X.example", "plain@x.example"]
  const check = async (topicId: string) =>
    (await api(route, { key: world.apiKey, params, body: { addresses, topicId } })).json
  const left = (address: string, detail: string) => ({ address, state: "suppressed", reason: "topic_opt_out", detail })
  expect((await check(news)).data).toEqual([
    { address: "in@x.example", state: "sendable" },
    left("Out@X.example", "Left the topic Product news opt_in"),
    { address: "plain@x.example", state: "sendable" },
  ])
  expect((await check(offers)).data).toEqual([
    left("in@x.example", "Not subscribed to the topic Product news opt_out"),
    left("Out@X.example", "Not subscribed to the topic Product news opt_out"),
    { address: "plain@x.example", state: "sendable" },
  ])
  expect((await check(news.replace(/.{6}$/, "000000"))).errors).toEqual([
    { pointer: "/topicId", detail: expect.any(String) },
  ])
})

test("a key that may not send learns nothing", async () => {
  const world = await newWorld()
  const { apiKey } = await newKey(world.projectId, ["emails:read"])
  const { status } = await api(route, {
    key: apiKey,
    params: { projectId: world.project },
    body: { addresses: ["a@x.example"] },
  })
  expect(status).toBe(403)
})
