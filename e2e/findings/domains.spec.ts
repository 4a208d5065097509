import { expect, test } from "@playwright/test"
import { newTenant, type Tenant } from "@/e2e/support/findings"

type Shown = { name: string; type: string; value: string; status: string; likelyCause?: object }

const allOf = ({ dkim, ...records }: { dkim: Shown[] }): Shown[] => [...dkim, ...Object.values<Shown>(records as never)]

/** Asks until the sandbox's name server, which publishes what the API shows, has verified the domain. */
async function verified({ call, projectId }: Tenant, domainId: string) {
  // It publishes three seconds after the registration.
  await new Promise((resolve) => setTimeout(resolve, 3_200))
  for (;;) {
    const { json } = await call("POST", `/v1/projects/${projectId}/domains/${domainId}/verify`)
    if (json.status === "verified" && allOf(json.verificationRecords).every(({ status }) => status === "verified"))
      return json
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

test("what the API shows is right once it is published: in the zone file, the diagnosis, and after other host names", async () => {
  const tenant = await newTenant()
  const { call, projectId } = tenant
  const domain = `shop-${projectId.slice(-8).toLowerCase()}.test`
  const added = await call("POST", `/v1/projects/${projectId}/domains`, { domain, region: "eu-west-1" })
  expect(added.status).toBe(201)
  const at = `/v1/projects/${projectId}/domains/${added.json.id}`
  const names = { mailFromDomain: `mail.${domain}`, trackingDomain: `go.${domain}` }
  expect((await call("PATCH", at, names)).status).toBe(200)

  const { verificationRecords } = await verified(tenant, added.json.id)
  const records = allOf(verificationRecords)
  for (const record of records) expect(record).not.toHaveProperty("likelyCause")
  const zone = (await call("GET", `${at}/zone-file`)).text.replaceAll('" "', "")
  for (const { name, value } of records) {
    expect(zone).toContain(`${name}. 300 IN`)
    expect(zone).toContain(value)
  }
  const { records: diagnosed } = (await call("GET", `${at}/diagnosis`)).json
  expect(diagnosed.map(({ expected }: { expected: string }) => expected)).toEqual(records.map(({ value }) => value))
})

test("the API takes a host name alone: an address as browsers show it is 400 with what is wrong", async () => {
  const { call, projectId } = await newTenant()
  const body = { domain: "https://www.acme-shop.example/", region: "eu-west-1" }
  const { status, json } = await call("POST", `/v1/projects/${projectId}/domains`, body)
  expect([status, json.errors[0].pointer]).toEqual([400, "/domain"])
  expect(json.errors[0].detail).toContain("scheme")
})
