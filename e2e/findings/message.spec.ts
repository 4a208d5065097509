import { expect, test } from "@playwright/test"
import { gzipSync } from "node:zlib"
import { newTenant, type Tenant } from "@/e2e/support/findings"
import { reportOf } from "@/e2e/support/domains/dmarc-reports"

test.describe.configure({ mode: "serial" })

let tenant: Tenant
let domainId: string
const domain = `findings-${Math.random().toString(36).slice(2, 10)}.test`
const at = (path: string) => `/v1/projects/${tenant.projectId}${path}`
const mail = () => ({ from: `Acme <hello@${domain}>`, to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" })

/** The fields at fault of a refused send; undefined if it was accepted. */
async function faults(more: object): Promise<string[] | undefined> {
  const { json } = await tenant.call("POST", "/v1/emails", { ...mail(), testMode: true, ...more })
  return json.errors?.map(({ pointer }: { pointer: string }) => pointer)
}

test.beforeAll(async () => {
  tenant = await newTenant()
  const { json } = await tenant.call("POST", at("/domains"), { domain, region: "eu-west-1" })
  domainId = json.id
  await expect
    .poll(
      async () => {
        await tenant.call("POST", at(`/domains/${domainId}/verify`))
        return (await tenant.call("GET", at(`/domains/${domainId}`))).json.status
      },
      { intervals: [1_000], timeout: 60_000 },
    )
    .toBe("verified")
})

test("an empty HTML body is no part of the mail, and two empty bodies are refused at /text", async () => {
  const tracked = { trackingSettings: { openTracking: true, unsubscribeTracking: true } }
  const sent = await tenant.call("POST", "/v1/emails", { ...mail(), ...tracked, html: "\u00a0\u200b" })
  expect(sent.status).toBe(201)
  let raw = ""
  await expect
    .poll(
      async () => {
        const { json } = await tenant.call("GET", at("/sandbox/messages"))
        const [found] = json.data
        raw = found ? (await tenant.call("GET", at(`/sandbox/messages/${found.id}`))).json.raw : ""
        return raw
      },
      { timeout: 20_000 },
    )
    .toContain("Content-Type: text/plain")
  expect(raw).not.toContain("multipart/alternative")
  expect(raw).not.toContain("text/html")
  for (const bodies of [{ text: "" }, { html: "", text: " " }, { html: "\u2003", text: "\n" }])
    expect(await faults(bodies)).toEqual(["/text"])
})

test("headers that a relay obeys, one header in two spellings and broken structured ones are refused", async () => {
  for (const name of ["X-SMTPAPI", "x-mc-bccaddress", "X-MSYS-API", "X-Mailgun-Tag", "X-MJ-CustomID", "X-PM-Tag"])
    expect(await faults({ headers: { [name]: "x" } })).toEqual([`/headers/${name}`])
  expect(await faults({ headers: { References: "<a@x.example>", references: "<b@x.example>" } })).toEqual([
    "/headers/references",
  ])
  expect(await faults({ headers: { "List-Help": "https://x.example" } })).toEqual(["/headers/List-Help"])
  expect(await faults({ headers: { "List-Help": "<https://x.example/?a=?b>" } })).toBeUndefined()
})

test("two attachments may not share a contentId, and an emoji domain is accepted", async () => {
  const file = { filename: "a.png", content: "aGk=", contentType: "image/png" }
  const attachments = [
    { ...file, contentId: "logo" },
    { ...file, contentId: "LOGO" },
  ]
  expect(await faults({ attachments })).toEqual(["/attachments/1/contentId"])
  expect(await faults({ to: ["ada@👋.example", "ada@xn--wp8h.example"] })).toBeUndefined()
})

test("a CSV file of a German spreadsheet is imported without a mapping", async () => {
  const csv = `sep=;\r\n;;\r\n"Address";"E-Mail\r\nAdr.";Abgemeldet\r\nWeg 1;ada@x.example;WAHR\r\n;;\r\nWeg 2;grace@x.example;nein\r\n;;\r\n`
  const { status, json } = await tenant.call("POST", at("/contacts/import"), csv, { "Content-Type": "text/csv" })
  expect(status).toBe(202)
  await expect
    .poll(async () => (await tenant.call("GET", at(`/contact-imports/${json.id}`))).json, { timeout: 20_000 })
    .toMatchObject({ status: "completed", created: 2, failed: 0 })
})

test("a picture without a file name is accepted", async () => {
  const contact = await tenant.call("POST", at("/contacts"), { email: "picture@x.example" })
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  )
  const head = '--b\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: image/png\r\n\r\n'
  const body = new Uint8Array(Buffer.concat([Buffer.from(head), png, Buffer.from("\r\n--b--\r\n")]))
  const answer = await tenant.call("POST", at(`/contacts/${contact.json.id}/image`), body, {
    "Content-Type": "multipart/form-data; boundary=b",
  })
  expect(answer.status).toBe(200)
})

test("DMARC reports are read as receivers pack them", async () => {
  const form = new FormData()
  const report = (reportId: string) => reportOf({ domain, reportId })
  const files = [
    gzipSync(report("newline")),
    Buffer.from("\n"),
    report("schema").replace("<feedback>", '<feedback><xs:schema xmlns:xs="x">'),
    report("nobody").replace(/<org_name>.*?<\/org_name>/, "<org_name></org_name>"),
    report("sender").replace(/<header_from>.*?<\/header_from>/, ""),
  ]
  const [gzip, newline, ...texts] = files
  form.append("files", new Blob([new Uint8Array(Buffer.concat([gzip as Buffer, newline as Buffer]))]), "a.xml.gz")
  for (const text of texts) form.append("files", new Blob([text as string]), "b.xml")
  const { json } = await tenant.call("POST", at(`/domains/${domainId}/dmarc/reports`), form)
  expect(json).toMatchObject({ accepted: 4, refused: 0 })
})

test("a webhook secret that begins with whsec_ and is no padded base64 is refused", async () => {
  const create = (secret: string) =>
    tenant.call("POST", at("/webhooks"), { url: "https://example.com/hook", events: ["email.sent"], secret })
  const bytes = Buffer.alloc(25, 0xff)
  for (const text of [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url"), "not base64 but long"])
    expect((await create(`whsec_${text}`)).json.errors?.[0]?.pointer).toBe("/secret")
})
