import { afterAll, beforeAll, expect, test } from "vitest"
import { startKnot, type Knot } from "@/e2e/support/knot"
import { api, newWorld } from "@/e2e/support/world"
import { createDns } from "@/lib/platform/dns/dns"

const name = "acme-knot.com"
let knot: Knot

beforeAll(async () => {
  knot = await startKnot(name)
})

afterAll(() => knot.stop())

test("a real name server takes the zone file that we offer, and the domain then verifies by real lookups", async () => {
  const world = await newWorld()
  const call = { key: world.apiKey, io: { dns: createDns({ servers: [{ host: "127.0.0.1", port: knot.port }] }) } }
  const project = { projectId: world.project }
  const added = await api("POST /v1/projects/{projectId}/domains", {
    ...call,
    params: project,
    body: { domain: name, region: "eu-west-1" },
  })
  expect({ addedStatus: added.status, jsonStatus: added.json.status }).toEqual({
    addedStatus: 201,
    jsonStatus: "pending",
  })
  const params = { ...project, domainId: added.json.id }
  const verify = async () =>
    (await api("POST /v1/projects/{projectId}/domains/{domainId}/verify", { ...call, params })).json

  expect(await verify()).toMatchObject({ status: "pending", dkimStatus: "pending", mailFromStatus: "pending" })
  const zoneFile = await api("GET /v1/projects/{projectId}/domains/{domainId}/zone-file", { ...call, params })
  await knot.publish(await zoneFile.response.text())
  expect(await verify()).toMatchObject({
    status: "verified",
    dkimStatus: "verified",
    spfStatus: "verified",
    mailFromStatus: "verified",
    dmarcStatus: "verified",
  })

  const again = await api("GET /v1/projects/{projectId}/domains/{domainId}/zone-file", { ...call, params })
  const text = await again.response.text()
  expect(text).toMatch(/^; already published: v=DMARC1; p=none.*\n; _dmarc\.acme-knot\.com\. /m)
  await knot.publish(text)

  await knot.publish("")
  expect(await verify()).toMatchObject({ status: "degraded" })
})

test("an import beside existing records voids neither a policy nor an SPF record, and the server still takes the file", async () => {
  const world = await newWorld()
  const call = { key: world.apiKey, io: { dns: createDns({ servers: [{ host: "127.0.0.1", port: knot.port }] }) } }
  const policy = '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:reports@acme-knot.com"\n'
  await knot.publish(policy)
  const project = { projectId: world.project }
  const added = await api("POST /v1/projects/{projectId}/domains", {
    ...call,
    params: project,
    body: { domain: name, region: "eu-west-1" },
  })
  const params = { ...project, domainId: added.json.id }
  const { name: mailFrom } = added.json.verificationRecords.mailFromSpf
  const zoneFile = async () =>
    (await api("GET /v1/projects/{projectId}/domains/{domainId}/zone-file", { ...call, params })).response.text()
  const verify = async () =>
    (await api("POST /v1/projects/{projectId}/domains/{domainId}/verify", { ...call, params })).json

  expect(await zoneFile()).toContain("; replaces the current record: v=DMARC1; p=reject")
  const published = `${policy}${mailFrom}. TXT "v=spf1 -all"\n`
  await knot.publish(published)
  await verify()
  const text = await zoneFile()
  expect(text).toContain(`; replaces the current record: v=spf1 -all\n; ${mailFrom}. 300 IN TXT`)
  await knot.publish(`${published}${text}`)
  const checked = await verify()
  expect(checked).toMatchObject({ dkimStatus: "verified", dmarcStatus: "verified", spfStatus: "pending" })
  expect(checked.verificationRecords.dmarcRecommended.found).toEqual([
    "v=DMARC1; p=reject; rua=mailto:reports@acme-knot.com",
  ])
  expect(checked.verificationRecords.mailFromSpf.found).toEqual(["v=spf1 -all"])
})
