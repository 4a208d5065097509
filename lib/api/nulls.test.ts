import { describe, expect, test } from "vitest"
import { z } from "zod"
import { resolved, withText, type JsonSchema, type ValuePath } from "@/e2e/security/hostile"
import { examples, type Belongings } from "@/e2e/support/examples"
import { endpoints } from "@/lib/api/registry"
import { NewEmail } from "@/lib/emails/send/schema"
import { parseBody } from "@/lib/platform/http/perform"
import { Problem } from "@/lib/platform/http/problem"

/** Fields where null has a meaning of its own: it clears the field, or means no expiry or restriction. Elsewhere it means absent. */
const ownMeaning = [
  ...["createApiKey allowedAddresses", "createApiKey allowedDomains", "createApiKey expiresInDays"],
  ...["updateApiKey allowedAddresses", "updateApiKey allowedDomains"],
  "createWebhook transformations/0/value",
  "previewWebhook transformations/0/value",
  "updateBimi logoUrl",
  "updateBimi vmcUrl",
  ...[
    "attachments",
    "giveUpAfterSeconds",
    "headers",
    "html",
    "metadata",
    "replyTo",
    "scheduledAt",
    "tags",
    "template",
    "text",
  ].map((field) => `updateBroadcast ${field}`),
  "updateBroadcast topicId",
  "updateBroadcast trackingSettings",
  "updateContact firstName",
  "updateContact lastName",
  "updateDestination connections",
  "updateDestination mailsPerConnection",
  "updateContact phone",
  "updateContactProperty fallbackValue",
  "updateEgressAddress warmUpOn",
  "updateInboundRoute webhookId",
  "updateProject branding/color",
  "updateProject branding/logo",
  "updateProject branding/name",
  "updateSegment filter",
  "updateWebhook formerSecretUntil",
]

type Schema = JsonSchema & { required?: string[]; oneOf?: Schema[] }

const own = new Proxy({}, { get: () => "id" }) as Belongings
const bodies = [
  ...endpoints.flatMap(({ operationId, body }) =>
    body ? [[operationId, body, examples[operationId]?.(own).body] as const] : [],
  ),
  ["an item of batchSendEmails", NewEmail, examples.sendEmail?.(own).body] as const,
]
const filter = {
  all: [{ field: "email", operator: "is_set" }, { any: [{ field: "unsubscribed", operator: "is", value: true }] }],
}

/** Paths of the optional fields of a body, those of list items, and of every form that a value may have, included. */
function optionalPaths(schema: Schema, root: Schema, path: ValuePath = []): ValuePath[] {
  if (path.length > 4) return []
  const here = resolved(schema, root) as Schema
  const forms = [...(here.anyOf ?? []), ...(here.oneOf ?? [])].flatMap((form) =>
    optionalPaths(form as Schema, root, path),
  )
  const items = here.items ? optionalPaths(here.items, root, [...path, 0]) : []
  const fields = Object.entries(here.properties ?? {}).flatMap(([name, field]) => [
    ...(here.required?.includes(name) ? [] : [[...path, name]]),
    ...optionalPaths(field, root, [...path, name]),
  ])
  return [...forms, ...items, ...fields]
}

function outcome(schema: z.ZodType, value: unknown): unknown {
  try {
    return parseBody(schema, value)
  } catch (error) {
    if (error instanceof Problem) return error.extras.errors
    throw error
  }
}

const absent = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

describe.each(bodies)("the body of %s", (operationId, schema, example = {}) => {
  const document = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema
  const paths = new Map(optionalPaths(document, document).map((path) => [path.join("/"), path]))

  test.runIf(paths.size)(
    "takes null for every optional field as if the field were absent, but where null has a meaning",
    () => {
      for (const [name, path] of paths) {
        const whole = absent(withText(example, path, undefined))
        const withNull = outcome(schema, withText(example, path, null))
        const same = JSON.stringify(withNull) === JSON.stringify(outcome(schema, whole))
        expect(`${operationId} ${name}`).toEqual(`${operationId} ${name}`)
        expect(same).toEqual(!ownMeaning.includes(`${operationId} ${name}`))
      }
    },
  )
})

test("null within the filter of a segment is absent too, in groups and conditions", () => {
  const preview = endpoints.find(({ operationId }) => operationId === "previewSegment")?.body as z.ZodType
  const holed = {
    any: null,
    none: null,
    all: [
      { ...filter.all[0], value: null },
      { all: null, ...filter.all[1] },
    ],
  }
  expect(outcome(preview, { filter: holed, segmentId: null })).toEqual({ filter })
})

test("null stays what it is where a field must be given, in lists and in maps", () => {
  const faultsOf = (change: object) =>
    (outcome(NewEmail, { ...(examples.sendEmail?.(own).body as object), ...change }) as { pointer: string }[]).map(
      ({ pointer }) => pointer,
    )
  expect(faultsOf({ subject: null })).toEqual(["/subject"])
  expect(faultsOf({ to: ["ada@lovelace.example", null] })).toEqual(["/to/1"])
  expect(faultsOf({ tags: { plan: null } })).toEqual(["/tags/plan"])
})
