import { expect, test } from "vitest"
import { api, newKey, newWorld } from "@/e2e/support/world"
import { pool } from "@/lib/platform/db"
import { newId } from "@/lib/platform/ids"

const route = "POST /v1/projects/{projectId}/emails/check-recipients"

test("each address is told what a send would make of it, by this project's list alone", async () => {
  const [world, other] = [await newWorld(), await newWorld()]
  for (const [projectId, email, reason] of [
    [world.projectId, "gone@x.example", "bounce"],
    [other.projectId, "ada@x.example", "manual"],
  ]) {
    await pool().query("INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, $3, $4)", [newId(), projectId, email, reason])
  }
  const addresses = ["Ada <ada@x.example>", "Gone@X.example", "suppressed+a@simulator.mailroom.test", "no address"]
  const { status, json } = await api(route, { key: world.apiKey, params: { projectId: world.project }, body: { addresses } })
  expect(status).toBe(200)
  expect(json.data).toEqual([
    { address: "Ada <ada@x.example>", state: "sendable" },
    { address: "Gone@X.example", state: "suppressed", reason: "bounce" },
    { address: "suppressed+a@simulator.mailroom.test", state: "suppressed", reason: "simulator" },
    { address: "no address", state: "invalid", reason: expect.any(String) },
  ])
})

test("a key that may not send learns nothing", async () => {
  const world = await newWorld()
  const { apiKey } = await newKey(world.projectId, ["emails:read"])
  const { status } = await api(route, { key: apiKey, params: { projectId: world.project }, body: { addresses: ["a@x.example"] } })
  expect(status).toBe(403)
})
