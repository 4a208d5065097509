import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeEach, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"

// Attacks on whose a domain is, through registration and sending; what name servers may say is tested beside lib/domains.

beforeEach(() => pool().query("DELETE FROM rate_windows"))

const register = (world: World, body: Record<string, unknown>) =>
  api("POST /v1/projects/{projectId}/domains", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { domain: "x.test", region: "eu-west-1", ...body },
  })

test("an invalid or public host name is 400 on its field, and nothing is registered", async () => {
  const world = await newWorld()
  const names = [
    "http://x.test",
    "x.test/p",
    "x.test:25",
    "*.x.test",
    "localhost",
    "127.0.0.1",
    "[::1]",
    "x..test",
    "-x.test",
    `${"a".repeat(64)}.test`,
    `${"a.".repeat(125)}test`,
    "xn--zzzzzz.test",
    "x.test\n",
    "co.uk",
    "_dmarc.x.test",
    "mailroom.test",
    "dmarc.mailroom.test",
    "a.mailroom.test",
    "x.test\u0000",
    "x.test@evil.test",
    "x%2etest",
    "x.test?y",
    "x.test#y",
    "2130706433",
    "0x7f.0.0.1",
    "①②⑦.⓪.⓪.①",
  ]
  for (const domain of names) {
    const { status, json } = await register(world, { domain })
    expect({ status, pointer: json.errors?.[0]?.pointer }, domain).toEqual({ status: 400, pointer: "/domain" })
    await pool().query("DELETE FROM rate_windows")
  }
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM domains WHERE project_id = $1", [world.projectId])
  expect(rows[0].n).toBe(0)
})

test("an unknown region is 400, one that is not the project's home is 403 without the entitlement", async () => {
  const world = await newWorld()
  for (const region of ["us-east-2", "US-EAST-1", "eu-west-1 ", "", null, ["eu-west-1"], { not: "" }, 1]) {
    const { status, json } = await register(world, { region })
    expect({ status, pointer: json.errors?.[0]?.pointer }, JSON.stringify(region)).toEqual({
      status: 400,
      pointer: "/region",
    })
  }
  const foreign = await register(world, { region: "us-east-1" })
  expectProblem(foreign, 403, "domain.region_not_entitled")
  const patched = await api("PATCH /v1/projects/{projectId}", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { region: "us-east-1", multiRegion: true },
  })
  expect(patched.status).toBe(400)
})

test("a domain that another project has verified stays pending here, sends nothing, and gets different keys when it is added again", async () => {
  const [a, b] = [await newWorld(), await newWorld()]
  await addVerifiedDomain(a, "x.test")
  const theirs = await register(b, {})
  expect({ theirsStatus: theirs.status, jsonStatus: theirs.json.status }).toEqual({
    theirsStatus: 201,
    jsonStatus: "pending",
  })
  const mail = { from: "a@x.test", to: ["u@y.example"], subject: "s", text: "t" }
  const sent = await api("POST /v1/emails", { key: b.apiKey, body: mail })
  expectProblem(sent, 422, "email.from_domain_not_verified")
  expect((await api("POST /v1/emails", { key: a.apiKey, body: mail })).status).toBe(201)

  const at = { key: b.apiKey, params: { projectId: b.project, domainId: theirs.json.id } }
  expect((await api("DELETE /v1/projects/{projectId}/domains/{domainId}", at)).status).toBe(204)
  const again = await register(b, {})
  const values = (wire: typeof theirs) =>
    wire.json.verificationRecords.dkim.flatMap(({ name, value }: { name: string; value: string }) => [name, value])
  expect(values(again).filter((one: string) => values(theirs).includes(one))).toEqual([])
  const { rows } = await pool().query(
    "SELECT count(*)::int AS n FROM dkim_keys k WHERE NOT EXISTS (SELECT 1 FROM domains d WHERE d.id = k.domain_id)",
  )
  expect(rows[0].n).toBe(0)
})
