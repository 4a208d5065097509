import { type Endpoint, methodOf, pathOf, type PathId } from "@/lib/platform/http/endpoint"
import type { IdPrefix } from "@/lib/platform/ids"
import { type Json, schemaOf } from "@/lib/platform/http/json-schema"

export type CodeSample = { lang: string; label: string; source: string }

type Call = { method: string; url: string; body: unknown; stream: string | undefined; credential: Credential }
type Credential = "key" | "session" | "streamToken" | "none"

/** How to call an operation in curl and in TypeScript, from the example of its declaration. */
export function codeSamplesOf(endpoint: Endpoint, serverUrl: string, schemas: Json): CodeSample[] {
  const call: Call = {
    method: methodOf(endpoint),
    url: `${serverUrl}${samplePath(endpoint)}${sampleQuery(endpoint, schemas)}`,
    body: exampleBody(endpoint, schemas),
    stream: endpoint.bodyStream,
    credential: credentialOf(endpoint),
  }
  return [
    { lang: "Shell", label: "curl", source: curl(call) },
    { lang: "TypeScript", label: "TypeScript", source: typeScript(call) },
  ]
}

function credentialOf({ access }: Endpoint): Credential {
  if (access.credential === "none") return access.scheme === "streamToken" ? "streamToken" : "none"
  return access.credential === "session" ? "session" : "key"
}

/** The example of the declaration, or the least that its schema accepts. */
export function exampleBody({ example, body }: Endpoint, schemas: Json = {}): unknown {
  if (example?.body !== undefined || !body) return example?.body
  return sampleOf(schemaOf(body, schemas), schemas)
}

/** The kind of each id in the path, by its parameter; other parameters have none. */
export function prefixesOf({ path }: Pick<Endpoint, "path">): Record<string, IdPrefix | undefined> {
  const declared = Object.entries((path ?? {}) as Record<string, PathId>)
  return { projectId: "proj", ...Object.fromEntries(declared.map(([name, { prefix }]) => [name, prefix])) }
}

/** The parameters of the path, as the example has them. */
export function exampleIds(endpoint: Endpoint): Record<string, string> {
  const prefixes = prefixesOf(endpoint)
  const names = [...pathOf(endpoint).matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
  return Object.fromEntries(
    names.map((name) => {
      const prefix = prefixes[name]
      return [name, prefix ? `${prefix}_${idSuffix}` : (endpoint.example?.path?.[name] ?? "ada@lovelace.example")]
    }),
  )
}

function samplePath(endpoint: Endpoint): string {
  const ids = exampleIds(endpoint)
  return pathOf(endpoint).replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "")
}

/** The query of the example, and what is required besides. */
function sampleQuery(endpoint: Endpoint, schemas: Json): string {
  const required = Object.entries(endpoint.query ?? {}).flatMap(([name, schema]) =>
    schema.safeParse(undefined).success ? [] : [[name, String(sampleOf(schemaOf(schema, schemas), schemas))]],
  )
  const all = new URLSearchParams({ ...Object.fromEntries(required), ...endpoint.example?.query })
  if (credentialOf(endpoint) === "streamToken") all.delete("token")
  return all.size > 0 ? `?${all.toString()}` : ""
}

const fileOf: Record<string, string> = { "text/csv": "contacts.csv", "multipart/form-data": "photo.png" }

/** Where the one-time token of a stream comes from. */
const comment = (mark: string) =>
  `${mark} TOKEN is the token in the response to POST /v1/emails/{projectId}/stream/token.`

function curl({ method, url, body, stream, credential }: Call): string {
  if (credential === "streamToken")
    return `${comment("#")}\ncurl -N "${url}${url.includes("?") ? "&" : "?"}token=$TOKEN"`
  const parts = [
    `curl${method === "GET" ? "" : ` -X ${method}`} "${url}"`,
    credential === "key" ? '-H "Authorization: Bearer $KEY"' : "",
    credential === "session" ? '--cookie "mailroom.session=$SESSION"' : "",
    // A cookie is accepted only with proof that our own pages sent the request.
    credential === "session" && method !== "GET" ? '-H "Sec-Fetch-Site: same-origin"' : "",
    body === undefined ? "" : '-H "Content-Type: application/json"',
    body === undefined ? "" : `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll("\n", "\n  ")}'`,
    stream === "multipart/form-data" ? '-F "file=@photo.png"' : "",
    stream && stream !== "multipart/form-data"
      ? `-H "Content-Type: ${stream}" --data-binary "@${fileOf[stream] ?? "file"}"`
      : "",
  ]
  return parts.filter(Boolean).join(" \\\n  ")
}

function typeScript({ method, url, body, stream, credential }: Call): string {
  if (credential === "streamToken")
    return `${comment("//")}\nconst response = await fetch(\`${url}${url.includes("?") ? "&" : "?"}token=\${process.env.TOKEN}\`)\nif (!response.ok) throw new Error((await response.json()).detail)`
  const multipart = stream === "multipart/form-data"
  const headers = [
    credential === "key" ? "Authorization: `Bearer ${process.env.KEY}`" : "",
    credential === "session" ? "Cookie: `mailroom.session=${process.env.SESSION}`" : "",
    credential === "session" && method !== "GET" ? '"Sec-Fetch-Site": "same-origin"' : "",
    body === undefined ? "" : '"Content-Type": "application/json"',
    stream && !multipart ? `"Content-Type": "${stream}"` : "",
  ].filter(Boolean)
  const options = [
    method === "GET" ? "" : `method: "${method}"`,
    headers.length > 0 ? `headers: {\n    ${headers.join(",\n    ")},\n  }` : "",
    body === undefined ? "" : `body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")})`,
    stream ? "body" : "",
  ].filter(Boolean)
  const file = stream ? (fileOf[stream] ?? "file") : ""
  const before = multipart
    ? `import { openAsBlob } from "node:fs"\n\nconst body = new FormData()\nbody.append("file", await openAsBlob("${file}"), "${file}")\n`
    : stream
      ? `import { readFile } from "node:fs/promises"\n\nconst body = await readFile("${file}")\n`
      : ""
  const argument = options.length > 0 ? `, {\n  ${options.join(",\n  ")},\n}` : ""
  return `${before}const response = await fetch("${url}"${argument})\nif (!response.ok) throw new Error((await response.json()).detail)`
}

/** Of every id in an example. */
export const idSuffix = "01k9q3f7c2e8m9v4x6y8z0a1b3"

/** A value that a schema accepts: its own example or default, else the least that it requires. */
function sampleOf(schema: Json, schemas: Json): unknown {
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
