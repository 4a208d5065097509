import { type Endpoint, methodOf, pathOf, type PathId } from "@/lib/platform/http/endpoint"
import type { IdPrefix } from "@/lib/platform/ids"
import { type Json, schemaOf } from "@/lib/platform/http/json-schema"
import { idSuffix, sampleOf } from "@/lib/platform/http/sample-values"

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
