import { beforeAll, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { encodeId, newId } from "@/lib/platform/ids"

let world: World
beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
})

async function send(of: World, scheduled: boolean): Promise<string> {
  const { json } = await api("POST /v1/emails", {
    key: of.apiKey,
    body: {
      from: "hello@acme.test",
      to: ["ada@lovelace.example"],
      subject: "For later",
      text: "Hi",
      ...(scheduled ? { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() } : {}),
    },
  })
  return json.id
}

const cancel = (ids: string[], of = world) =>
  api("POST /v1/projects/{projectId}/emails/cancel", {
    key: of.apiKey,
    params: { projectId: of.project },
    body: { ids },
  })

const statusOf = async (id: string, of = world) =>
  (await api("GET /v1/emails/{emailId}", { key: of.apiKey, params: { emailId: id } })).json.status

test("scheduled emails of a selection are cancelled, the others keep their status, and each has its result in order", async () => {
  const [first, queued, second, untouched] = [
    await send(world, true),
    await send(world, false),
    await send(world, true),
    await send(world, true),
  ]
  const unknown = encodeId("email", newId())
  const { status, json } = await cancel([second, queued, first, unknown, "email_?"])
  expect({ status, cancelled: json.cancelled }).toEqual({ status: 200, cancelled: 2 })
  expect(json.data).toEqual([
    { id: second, result: "cancelled" },
    { id: queued, result: "not_scheduled", status: "queued" },
    { id: first, result: "cancelled" },
    { id: unknown, result: "not_found" },
    { id: "email_?", result: "not_found" },
  ])
  expect(await statusOf(first)).toBe("cancelled")
  expect(await statusOf(second)).toBe("cancelled")
  expect(await statusOf(untouched)).toBe("scheduled")
  expect((await cancel([first])).json).toEqual({
    cancelled: 0,
    data: [{ id: first, result: "not_scheduled", status: "cancelled" }],
  })
})

test("an email of another project is not found and stays scheduled", async () => {
  const other = await newWorld()
  await addVerifiedDomain(other)
  const theirs = await send(other, true)
  expect((await cancel([theirs])).json.data).toEqual([{ id: theirs, result: "not_found" }])
  expect(await statusOf(theirs, other)).toBe("scheduled")
})

test("a selection has 1 to 100 emails", async () => {
  for (const ids of [[], Array.from({ length: 101 }, () => encodeId("email", newId()))]) {
    const { status, json } = await cancel(ids)
    expect({ status, pointer: json.errors?.[0]?.pointer }).toEqual({ status: 400, pointer: "/ids" })
  }
})
