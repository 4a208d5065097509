import type { Json } from "@/lib/platform/http/json-schema"

/** Of every id in an example. */
export const idSuffix = "01k9q3f7c2e8m9v4x6y8z0a1b3"

/** A value that a schema accepts: its own example or default, else the least that it requires. */
export function sampleOf(schema: Json, schemas: Json): unknown {
  return sampled(schema, { schemas, isWhole: false, within: [] })
}

/** The same with every field, as an answer has them. */
export function wholeSampleOf(schema: Json, schemas: Json): unknown {
  return sampled(schema, { schemas, isWhole: true, within: [] })
}

/** `within`: the components that a value is part of, and the name of its field. */
type Place = { schemas: Json; isWhole: boolean; within: readonly string[]; field?: string }

function sampled(schema: Json, place: Place): unknown {
  const reference = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined
  if (reference !== undefined)
    return sampled((place.schemas[reference] ?? {}) as Json, { ...place, within: [...place.within, reference] })
  const given = [schema.examples, schema.enum].find(Array.isArray)?.[0]
  if (given !== undefined) return given
  if (schema.const !== undefined) return schema.const
  const choices = choicesOf(schema)
  const choice = choices.find((one) => !isRepeated(one, place)) ?? choices[0]
  if (choice) return sampled(choice, place)
  if (schema.default !== undefined) return schema.default
  return sampleOfType(schema, place)
}

function sampleOfType(schema: Json, place: Place): unknown {
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object":
      return sampleObject(schema, place)
    case "array":
      return sampleList(schema, place)
    case "boolean":
      return true
    case "integer":
    case "number":
      return typeof schema.minimum === "number" ? schema.minimum : 1
    default:
      return formats[String(schema.format)] ?? (place.isWhole ? texts[place.field ?? ""] : undefined) ?? "Example"
  }
}

/** What a value may be, apart from null. */
function choicesOf({ oneOf, anyOf }: Json): Json[] {
  const choices = [oneOf, anyOf].find(Array.isArray) as Json[] | undefined
  return choices?.filter(({ type }) => type !== "null") ?? []
}

/** A part of something of its own kind is left out of an example. */
function isRepeated(schema: Json, place: Place): boolean {
  const choices = choicesOf(schema)
  if (choices.length > 0) return choices.every((one) => isRepeated(one, place))
  return place.within.includes(String(schema.$ref).split("/").at(-1) ?? "")
}

function sampleList({ items = {} }: Json, place: Place): unknown[] {
  return isRepeated(items as Json, place) ? [] : [sampled(items as Json, place)]
}

/** What is required, or all of it; where nothing is required, as in a change, the first field. */
function sampleObject({ properties = {}, required = [] }: Json, place: Place): Json {
  const fields = properties as Record<string, Json>
  const wanted = required as string[]
  const least = wanted.length > 0 ? wanted : Object.keys(fields).slice(0, 1)
  const names = place.isWhole
    ? Object.keys(fields).filter((name) => wanted.includes(name) || !isRepeated(fields[name] ?? {}, place))
    : least
  return Object.fromEntries(names.map((name) => [name, sampled(fields[name] ?? {}, { ...place, field: name })]))
}

const formats: Record<string, string> = {
  email: "ada@lovelace.example",
  "date-time": "2026-12-24T18:00:00.000Z",
  date: "2026-12-24",
  uri: "https://example.com/mailroom",
}

/** What fields of answers hold whose schema says no more than that they are text. */
const texts: Record<string, string> = {
  address: "ada@lovelace.example",
  domain: "shop.example",
  email: "ada@lovelace.example",
  firstName: "Ada",
  from: "Shop <orders@shop.example>",
  html: "<p>It is on its way.</p>",
  ip: "203.0.113.5",
  lastName: "Lovelace",
  messageId: "<01k9q3f7c2e8m9v4x6y8z0a1b3@shop.example>",
  name: "Orders",
  phone: "+44 20 7946 0000",
  region: "eu-west-1",
  replyTo: "help@shop.example",
  route: "POST /v1/emails",
  subject: "Your order",
  text: "It is on its way.",
  to: "ada@lovelace.example",
  topicName: "News",
  url: "https://shop.example/orders/7",
  userAgent: "Mozilla/5.0",
}
