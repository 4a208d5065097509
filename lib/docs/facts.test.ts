import { expect, test } from "vitest"
import type { z } from "zod"
import { createHmac, timingSafeEqual } from "node:crypto"
import { readFileSync } from "node:fs"
import { transformSync } from "esbuild"
import { guideSamples } from "@/e2e/support/guide-samples"
import { nobody } from "@/lib/docs/reader-rules"
import { bytesOfSecret, textOfSecret } from "@/lib/webhooks/secret-rules"
import { WebhookChange } from "@/lib/webhooks/schema"
import { buckets } from "@/lib/access/limits/data"
import { outageSentence } from "@/lib/delivery/regions/region-rules"
import { setupWords } from "@/lib/delivery/setup/words"
import { connectionsOf } from "@/lib/server/processes/fit-database"
import { submissionLimits } from "@/lib/submission/server"
import { permissions } from "@/lib/access/permissions"
import { settingsOf } from "@/lib/platform/env/settings"
import { guideSource, operatingGuides } from "@/lib/docs/guides"
import { webhookEventSchemas } from "@/lib/webhooks/payload"

// What the texts say, against what the code does.

type Event = z.ZodObject<{ data: z.ZodObject }>

test("tags and metadata are not promised in webhooks, whose events do not have them", () => {
  const fields = webhookEventSchemas.flatMap(({ schema }) => Object.keys((schema as Event).shape.data.shape))
  expect(fields).toContain("emailId")
  expect(fields.filter((name) => name === "tags" || name === "metadata")).toEqual([])
  const sentence = guideSource("sending").match(/`tags` and `metadata` are yours[^]*?\. [^]*?\./)?.[0]
  expect(sentence).not.toContain("in webhooks")
  expect(sentence).toContain("Webhooks do not carry them")
})

test("operators are told of the field that makes a repeated send safe, not of a header that is not read", () => {
  const text = JSON.stringify([...operatingGuides().values()])
  expect(text).not.toContain("Idempotency-Key")
  expect(text).toContain("idempotencyKey")
})

test("every bucket in the operator's pages is one that Mailroom takes", () => {
  const pages = ["lib/deploy/operating.md", "lib/cli/README.md"].map((file) => readFileSync(file, "utf8")).join("\n")
  const urls = [...pages.matchAll(/s3:\/\/[^\s'"`]+/g)].map(([url]) => url)
  const refused = urls.flatMap((url) => {
    const { error } = settingsOf({ S3_URL: url })
    return error ? [`${url}: ${error.issues[0]?.message}`] : []
  })
  expect([urls.length, refused]).toEqual([3, []])
})

test("the guide about keys says what each permission allows", () => {
  const table = guideSource("keys").match(/\| Permission [^]*?\n\n/)?.[0] ?? ""
  expect(permissions.filter((permission) => !table.includes(`\`${permission}\``))).toEqual([])
})

test("a secret of one's own verifies in the form that the guide and the operations name", () => {
  const sample = guideSamples(nobody).find(({ name }) => name === "verify-typescript")?.code ?? ""
  const { code } = transformSync(sample.replace(/^import .*$/m, ""), { loader: "ts", format: "cjs" })
  const module = { exports: {} as { verify(secret: string, headers: Record<string, string>, body: string): boolean } }
  new Function("module", "createHmac", "timingSafeEqual", code)(module, createHmac, timingSafeEqual)
  const secret = "our own secret, in plain words"
  const [body, timestamp] = ["{}", String(Math.floor(Date.now() / 1000))]
  // As deliveries are signed.
  const signature = createHmac("sha256", bytesOfSecret(secret)).update(`evt_1.${timestamp}.${body}`).digest("base64")
  const headers = { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` }
  const { verify } = module.exports
  expect([secret, textOfSecret(bytesOfSecret(secret))].map((one) => verify(one, headers, body))).toEqual([false, true])
  expect(guideSource("webhooks")).toContain("give this code `whsec_` and the base64 of it")
  expect(WebhookChange.shape.secret.description).toContain("used as `whsec_` and their base64")
})

test("the operating guide has the figures of SMTP and of the database's connections as they are", () => {
  const text = readFileSync("lib/cli/README.md", "utf8").replaceAll(/\s+/g, " ")
  const { messageBytesMax, heldBytesMax, organizationBytesMax, clientsMax, clientsPerAddressMax } = submissionLimits
  const mib = (bytes: number) => `${bytes / 2 ** 20} MiB`
  expect(text).toContain(`Limits: ${clientsMax} connections a port, ${clientsPerAddressMax} per client address`)
  expect(text).toContain(
    `${mib(messageBytesMax)} a message, ${mib(heldBytesMax)} of messages at once and ${mib(organizationBytesMax)} of one organization`,
  )
  const web = (webProcesses: number) => connectionsOf({ mode: "production", roles: ["web"], webProcesses })
  const [each, more] = [web(3) - web(2), web(2) - web(1) - (web(3) - web(2))]
  expect(text).toContain(`A host uses up to ${each} connections per web process and ${more} more from two on`)
  expect(text).toContain(`and ${web(1) - each} more, and keeps them open`)
})

test("the quickstart waits for a domain with fewer requests than a key may make", () => {
  const code = guideSamples(nobody).find(({ guide, name }) => guide === "quickstart" && name === "wait")?.code ?? ""
  const [, times] = /seq (\d+)/.exec(code) ?? []
  const [, seconds] = /sleep (\d+)/.exec(code) ?? []
  // One more has added the domain.
  expect(Number(times) + 1).toBeLessThan(buckets.domains.requests)
  expect(Number(times) * Number(seconds)).toBeGreaterThan(60)
})

test("the guide about limits names the windows that there are", () => {
  const seconds = new Set(Object.values(buckets).map((bucket) => bucket.seconds))
  const longer = Object.entries(buckets).filter(([, bucket]) => bucket.seconds === 300)
  expect([[...seconds].sort(), longer.map(([name]) => name)]).toEqual([[300, 60], ["domains"]])
  expect(guideSource("limits")).toContain("in a minute, or for sending domains in five,")
})

test("the guide about webhooks names the fields that every event of an email has", () => {
  const required = webhookEventSchemas
    .filter(({ type }) => type.startsWith("email.") && type !== "email.received")
    .map(({ schema }) => Object.entries((schema as Event).shape.data.shape))
    .map((fields) =>
      fields.flatMap(([name, field]) => ((field as z.ZodType).safeParse(undefined).success ? [] : [name])),
    )
  const everywhere = required.reduce((common, names) => common.filter((name) => names.includes(name)))
  expect(everywhere).toEqual(["emailId", "to"])
  expect(guideSource("webhooks")).toContain("has at least `emailId` and `to`, and its `subject` where it has one")
})

test("the policy for Amazon SES allows every call that is made, and to send whole messages, which is an action of its own", () => {
  const folder = "lib/delivery/ses"
  const sources = ["client.ts", "queue.ts"].map((file) => readFileSync(`${folder}/${file}`, "utf8")).join("\n")
  const commands = new Set(
    [...sources.matchAll(/new (\w+)Command\(/g)].map(([, name = ""]) => name.replace("Batch", "")),
  )
  const text = readFileSync("lib/cli/README.md", "utf8").match(/The IAM policy needs [^]*?\./)?.[0] ?? ""
  const missing = [...commands].filter((name) => !text.includes(`:${name}\``))
  expect([commands.size > 8, missing]).toEqual([true, []])
  // SESv2 asks for it where Content is Raw.
  expect(sources).toContain("Content: { Raw: ")
  const refused = outageSentence({
    ...{ region: "eu-west-1", since: new Date(), diagnostic: "", waiting: 0, sandbox: false },
    fault: { code: "ses_credentials", facts: { error: "not authorized to perform ses:SendRawEmail" } },
  })
  const { fix } = setupWords("ses_account", { state: "wrong", code: "credentials", expected: [], found: [] })
  for (const words of [text, refused.split("that its policy").at(-1), fix]) expect(words).toContain("ses:SendRawEmail")
})
