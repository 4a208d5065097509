import { expect, test } from "vitest"
import type { z } from "zod"
import { readFileSync } from "node:fs"
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
