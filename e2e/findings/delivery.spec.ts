import { randomBytes } from "node:crypto"
import { expect, test } from "@playwright/test"
import { newTenant, type Tenant } from "@/e2e/support/findings"

// What delivery says of recipients and of itself.

let tenant: Tenant
const domain = `findings-${randomBytes(6).toString("hex")}.test`
const at = (path: string) => `/v1/projects/${tenant.projectId}${path}`

test.beforeAll(async () => {
  tenant = await newTenant()
  const { json } = await tenant.call("POST", at("/domains"), { domain, region: "eu-west-1" })
  await expect
    .poll(
      async () => {
        await tenant.call("POST", at(`/domains/${json.id}/verify`))
        return (await tenant.call("GET", at(`/domains/${json.id}`))).json.status
      },
      { intervals: [1_000], timeout: 60_000 },
    )
    .toBe("verified")
})

async function sentTo(to: string): Promise<string> {
  const { json } = await tenant.call("POST", "/v1/emails", {
    from: `hello@${domain}`,
    to,
    subject: "Hello",
    text: "Hi",
  })
  return json.id as string
}

test("a mailbox that does not exist bounces, and an address of the simulator is never suppressed", async () => {
  const statusOf = async (id: string) => (await tenant.call("GET", `/v1/emails/${id}`)).json.status as string
  const [gone, there] = [
    await sentTo("bounced@simulator.mailroom.test"),
    await sentTo("delivered@simulator.mailroom.test"),
  ]
  await expect.poll(() => statusOf(gone), { timeout: 20_000 }).toBe("bounced")
  await expect.poll(() => statusOf(there), { timeout: 20_000 }).toBe("delivered")
  expect((await tenant.call("GET", at("/suppressions"))).json.data).toEqual([])
})

test("nothing is overdue on an installation that works", async () => {
  const { json } = await tenant.call("GET", "/health")
  expect(json).toMatchObject({ status: "ok", database: { status: "up" } })
  expect(json.overdue ?? []).toEqual([])
})
