import { expect, test } from "vitest"
import { api, newMember, newSession, newWorld } from "@/e2e/support/world"

const route = "GET /v1/projects/{projectId}/search"

test("things are found by a part of their name in any case, of the own project alone, at most five of a kind", async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  const cookie = await newSession(world.userId)
  for (const { apiKey, project } of [world, other]) {
    const call = { key: apiKey, params: { projectId: project } }
    for (let nth = 0; nth < 6; nth++)
      await api("POST /v1/projects/{projectId}/topics", {
        ...{ ...call, body: { name: `Friday news ${nth}`, defaultSubscription: "opt_in" } },
      })
    await api("POST /v1/projects/{projectId}/segments", { ...call, body: { name: "Friday readers" } })
    await api("POST /v1/projects/{projectId}/templates", {
      ...{ ...call, body: { name: "friday-offer", subject: "Offer", text: "Hi" } },
    })
    await api("POST /v1/projects/{projectId}/webhooks", {
      ...{ ...call, body: { name: "Fridays", url: "https://8.8.8.8/hooks", events: ["email.sent"] } },
    })
    await api("POST /v1/projects/{projectId}/broadcasts", {
      ...call,
      body: { from: "a@acme.test", to: ["ada@lovelace.example"], subject: "See you Friday", text: "Hi", draft: true },
    })
  }
  const find = async (text: string, by = cookie) =>
    (await api(route, { cookie: by, params: { projectId: world.project }, query: { text } })).json.data as {
      kind: string
      name: string
      status?: string
    }[]
  const found = await find("fRIDAY")
  expect(found.map(({ kind }) => kind)).toEqual([
    ...["topic", "topic", "topic", "topic", "topic", "segment", "template", "broadcast", "webhook"],
  ])
  expect(found[0]?.name).toBe("Friday news 5")
  expect(found.find(({ kind }) => kind === "broadcast")).toMatchObject({ name: "See you Friday", status: "draft" })
  expect(await find("%y")).toEqual([])
  expect((await find("test")).find(({ kind }) => kind === "api_key")).toMatchObject({ status: "live" })
  const viewer = await newMember(world, "viewer")
  expect((await find("friday", viewer.cookie)).map(({ kind }) => kind)).toEqual(found.map(({ kind }) => kind))
  const stranger = await newSession(other.userId)
  expect(
    (await api(route, { cookie: stranger, params: { projectId: world.project }, query: { text: "friday" } })).status,
  ).toBe(404)
})
