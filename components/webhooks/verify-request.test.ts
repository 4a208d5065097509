import { describe, expect, test } from "vitest"
import { requestHeaders, signatureOf } from "@/lib/webhooks/delivery/worker"
import { textOfSecret } from "@/lib/webhooks/secret-rules"
import { headersText } from "@/components/webhooks/sent-request"
import { verifyRequest } from "@/components/webhooks/verify-form"

const [current, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const secret = textOfSecret(current)
const id = "evt_01k9q3f7c2e8m9v4x6y8z0a1b3"
const body = `{"id":"${id}","type":"email.delivered","data":{"to":"ada@lovelace.example"}}`
const at = new Date("2026-11-22T12:00:00Z")
const headers = requestHeaders(id, at, signatureOf(id, at, body, [current, former]))
const verdict = (change: Partial<Parameters<typeof verifyRequest>[0]> = {}, now = at.getTime() + 10_000) =>
  verifyRequest({ headers: headersText(headers), body, secret, ...change }, now)

describe("a pasted request", () => {
  test("is valid with either secret, and says which one", async () => {
    expect(await verdict()).toMatchObject({ tone: "good", title: "Valid" })
    const old = await verdict({ secret: ` ${textOfSecret(former)}\n` })
    expect({ tone: old.tone, detail: old.detail }).toEqual({
      tone: "good",
      detail: expect.stringContaining("the old secret"),
    })
  })

  test("may be pasted from curl, in any case, with signatures on lines of their own", async () => {
    const curl = Object.entries(headers).map(([name, value]) => `  -H '${name.toUpperCase()}: ${value}' \\`)
    expect(await verdict({ headers: curl.join("\n") })).toMatchObject({ tone: "good" })
    const broken = headersText(headers).replace(/ v1,/g, "\nv1,").replace("signature:\n", "signature: ")
    expect(await verdict({ headers: broken })).toMatchObject({ tone: "good" })
  })

  test.each<[string, Parameters<typeof verdict>[0]]>([
    ["The body was changed", { body: JSON.stringify(JSON.parse(body), null, 2) }],
    ["The body was changed", { body: `\n${body}\n` }],
    ["The webhook-id was changed", { headers: headersText({ ...headers, "webhook-id": "evt_other" }) }],
    ["No signature matches", { body: body.replace("ada", "eve") }],
    ["No signature matches", { secret: textOfSecret(Buffer.alloc(32, 3)) }],
    ["No signature matches", { headers: headersText({ ...headers, "webhook-timestamp": "1" }) }],
    ["No signature of version 1", { headers: headersText({ ...headers, "webhook-signature": "v2,abc" }) }],
    ["The secret is incomplete", { secret: "whsec_" }],
    ["The secret is incomplete", { secret: "whsec_*" }],
    ["webhook-timestamp and webhook-signature missing", { headers: `webhook-id: ${id}` }],
  ])("%s", async (title, change) => {
    expect(await verdict(change)).toMatchObject({ tone: "bad", title })
  })

  test("that is more than five minutes off is named so, though its signature is right", async () => {
    expect(await verdict({}, at.getTime() + 12 * 60_000)).toMatchObject({
      tone: "warn",
      detail: expect.stringContaining("12 minutes ago"),
    })
    expect(await verdict({}, at.getTime() - 12 * 60_000)).toMatchObject({
      detail: expect.stringContaining("ahead of this computer's clock"),
    })
  })
})
