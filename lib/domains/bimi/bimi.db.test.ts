import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { logoOf } from "@/e2e/support/domains/logos"
import { newStage, type Registered, type Stage } from "@/e2e/support/domains/stage"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"

const route = "/v1/projects/{projectId}/domains/{domainId}/bimi"

let answer: RequestListener
let asked = 0
const server = createServer((request, response) => {
  asked += 1
  answer(request, response)
})
const site = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

let stage: Stage
beforeAll(async () => {
  provideEnv({ ALLOW_PRIVATE_WEBHOOKS: "127.0.0.0/8" })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  stage = await newStage()
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await stage.close()
})
beforeEach(() => {
  stage.reset()
  asked = 0
  answer = (_, response) => void response.end(logoOf("Acme"))
})

const patch = (acme: Registered, body: object) => acme.call(`PATCH ${route}`, { body })

describe("a logo", () => {
  test("that is allowed gives the record to publish, and its checked copy opens as nothing but a picture", async () => {
    const acme = await stage.registered()
    const { status, json } = await patch(acme, { logoUrl: `${site()}/logo.svg` })
    expect(status).toBe(200)
    expect(json).toMatchObject({ bimiStatus: "pending", bimiLogoUrl: `${site()}/logo.svg` })
    expect(json.verificationRecords.bimi).toEqual({
      name: "default._bimi.acme.com",
      type: "TXT",
      value: `v=BIMI1; l=${site()}/logo.svg; a=;`,
      optional: true,
      status: "pending",
    })
    const { response } = await acme.call(`GET ${route}/logo`)
    expect(await response.text()).toBe(logoOf("Acme"))
    expect(response.headers.get("content-type")).toBe("image/svg+xml")
    expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'")
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
  })

  test("may come packed, and its certificate is kept until it or the logo is cleared", async () => {
    answer = (_, response) => void response.setHeader("content-encoding", "gzip").end(gzipSync(logoOf("Acme")))
    const acme = await stage.registered()
    const vmcUrl = "https://vmc.example.com/a;b.pem"
    const { json } = await patch(acme, { logoUrl: `${site()}/logo.svgz`, vmcUrl })
    expect(json.verificationRecords.bimi.value).toBe(
      `v=BIMI1; l=${site()}/logo.svgz; a=https://vmc.example.com/a%3Bb.pem;`,
    )
    const without = await patch(acme, { vmcUrl: null })
    expect(without.json.verificationRecords.bimi.value).toMatch(/ a=;$/)
    expect(asked).toBe(1)
    const cleared = await patch(acme, { logoUrl: null })
    expect(cleared.json).toMatchObject({ bimiStatus: "not_configured" })
    expect(cleared.json).not.toHaveProperty("bimiLogoUrl")
    expect(cleared.json.verificationRecords).not.toHaveProperty("bimi")
    expect((await acme.call(`GET ${route}/logo`)).json.code).toBe("domain.bimi_logo_not_found")
    const { rows } = await pool().query(
      "SELECT changes FROM audit_entries WHERE project_id = $1 AND action = 'domain.bimi_changed'",
      [acme.world.projectId],
    )
    expect(rows).toHaveLength(3)
  })

  test.each<[string, RequestListener, RegExp]>([
    ["is missing", (_, response) => void response.writeHead(404).end(), /answered 404/],
    ["redirects", (_, response) => void response.writeHead(302, { location: "/other.svg" }).end(), /redirects/],
    ["is endless", (_, response) => drip(response), /larger than 32 KiB/],
    ["is a gzip bomb", (_, response) => void response.end(gzipSync(Buffer.alloc(5_000_000))), /32 KiB unpacked/],
    ["is damaged gzip", (_, response) => void response.end(gzipSync(logoOf("A")).subarray(0, 40)), /damaged/],
    ["has a script", (_, response) => void response.end(logoOf("A").replace("</svg>", "<script/></svg>")), /<script>/],
    ["is HTML", (_, response) => void response.end("<!doctype html>"), /DOCTYPE/],
    [
      "breaks off",
      (_, response) =>
        void response.writeHead(200, { "content-length": "9000" }).write("<svg", () => response.destroy()),
      /could not be reached/,
    ],
  ])("that %s is refused with a pointer and changes nothing", async (_, react, reason) => {
    answer = react
    const acme = await stage.registered()
    const refused = await patch(acme, { logoUrl: `${site()}/logo.svg` })
    expect(refused.json).toMatchObject({
      status: 400,
      errors: [{ pointer: "/logoUrl", detail: expect.stringMatching(reason) }],
    })
    expect((await acme.call("GET /v1/projects/{projectId}/domains/{domainId}")).json.bimiStatus).toBe("not_configured")
  })

  test.each([
    "http://8.8.8.8/logo.svg",
    "https://10.1.2.3/logo.svg",
    "https://[::1]/logo.svg",
    "http://169.254.169.254/latest/meta-data",
    "https://user:secret@example.com/logo.svg",
    "ftp://example.com/logo.svg",
    "https://example.com:25/logo.svg",
    "logo.svg",
    "data:image/svg+xml,x",
  ])("at %s is refused and never requested", async (logoUrl) => {
    const acme = await stage.registered()
    expect((await patch(acme, { logoUrl })).json).toMatchObject({ status: 400, errors: [{ pointer: "/logoUrl" }] })
    expect(asked).toBe(0)
  })

  test("at a name that resolves to a private address when it is dialled is not requested", async () => {
    const acme = await stage.registered()
    stage.servers[0]?.answer("logos.acme.com", "A", ["10.0.0.7"])
    const { json } = await patch(acme, { logoUrl: "https://logos.acme.com/logo.svg" })
    expect(json.errors).toEqual([{ pointer: "/logoUrl", detail: expect.stringMatching(/10\.0\.0\.7/) }])
  })

  test("needs something to change, and a certificate needs a logo", async () => {
    const acme = await stage.registered()
    expect((await patch(acme, {})).status).toBe(400)
    const { json } = await patch(acme, { vmcUrl: "https://vmc.example.com/a.pem" })
    expect(json.errors).toEqual([{ pointer: "/vmcUrl", detail: "A certificate needs a logo. Set logoUrl as well." }])
  })
})

describe("the record", () => {
  test("is pending until it is published, verified then, and failed when it names another logo", async () => {
    const acme = await stage.registered()
    const logoUrl = `${site()}/logo.svg`
    const { json } = await patch(acme, { logoUrl })
    const verify = async () => (await acme.call(`POST ${route}/verify`)).json
    expect((await verify()).bimiStatus).toBe("pending")
    stage.publish([json.verificationRecords.bimi])
    expect(await verify()).toMatchObject({
      bimiStatus: "verified",
      verificationRecords: { bimi: { status: "verified", found: [json.verificationRecords.bimi.value] } },
    })
    stage.publish([{ ...json.verificationRecords.bimi, value: "v=BIMI1; l=https://evil.example/x.svg;" }])
    expect(await verify()).toMatchObject({
      bimiStatus: "failed",
      verificationRecords: { bimi: { likelyCause: { message: expect.stringMatching(/another logo/) } } },
    })
    stage.publish([json.verificationRecords.bimi])
    expect((await acme.call("POST /v1/projects/{projectId}/domains/{domainId}/verify")).json.bimiStatus).toBe(
      "verified",
    )
    expect((await patch(acme, { logoUrl })).json.bimiStatus).toBe("pending")
  })

  test("is not looked up without a logo", async () => {
    const acme = await stage.registered()
    expect((await acme.call(`POST ${route}/verify`)).json.bimiStatus).toBe("not_configured")
  })
})

test.each<[string, Record<string, string>, string[]]>([
  ["no policy", {}, ["failed", "failed", "optional"]],
  ["an enforced policy above", { "_dmarc.acme.com": "v=DMARC1; p=quarantine" }, ["passed", "passed", "optional"]],
  ["p=none above", { "_dmarc.acme.com": "v=DMARC1; p=none" }, ["failed", "failed", "optional"]],
  ["sp=none above", { "_dmarc.acme.com": "v=DMARC1; p=reject; sp=none" }, ["failed", "failed", "optional"]],
  [
    "a sp above that is no policy",
    { "_dmarc.acme.com": "v=DMARC1; p=reject; sp=all; rua=mailto:a@x.com" },
    ["failed", "failed", "optional"],
  ],
  [
    "an own policy that is enforced below one that is not",
    { "_dmarc.acme.com": "v=DMARC1; p=none", "_dmarc.mail.acme.com": "v=DMARC1; p=reject" },
    ["passed", "failed", "optional"],
  ],
  ["half of the mail", { "_dmarc.acme.com": "v=DMARC1; p=quarantine; pct=50" }, ["failed", "failed", "optional"]],
])("the checklist of a subdomain with %s", async (_, records, outcomes) => {
  const mail = await stage.registered("mail.acme.com")
  for (const [name, value] of Object.entries(records)) stage.servers[0]?.answer(name, "TXT", [[value]])
  const { json } = await mail.call(`GET ${route}`)
  expect(json.gates.map(({ outcome }: { outcome: string }) => outcome)).toEqual(outcomes)
  for (const gate of json.gates) expect(gate.outcome === "passed" || gate.fix !== undefined).toBe(true)
})

test("the checklist below a public suffix with a weak policy asks for a record of the owner's own", async () => {
  stage.servers[0]?.answer("_dmarc.bank", "TXT", [["v=DMARC1; p=none; psd=y"]])
  const acme = await stage.registered("acme.bank")
  expect(acme.records.dmarcRecommended).toMatchObject({ name: "_dmarc.acme.bank", status: "pending" })
  expect(acme.records.dmarcRecommended, "the suffix's record is at another name").not.toHaveProperty("found")
  const { json } = await acme.call(`GET ${route}`)
  expect(json.gates[0]).toMatchObject({
    outcome: "failed",
    fix: "Publish a policy of quarantine or reject at _dmarc.acme.bank.",
  })
})

function drip(response: {
  write(chunk: string): boolean
  once(event: "drain", then: () => void): unknown
  destroyed: boolean
}) {
  const write = () => {
    if (!response.destroyed && response.write("<".repeat(16_384))) setImmediate(write)
    else response.once("drain", write)
  }
  write()
}
