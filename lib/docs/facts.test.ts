import { expect, test } from "vitest"
import type { z } from "zod"
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
