import type { SampleOrganization } from "@/e2e/support/sample-organization"

export type Ask = {
  name: string
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** It has no body that could be refused: with a key it would be done, and the other mount would find nothing. */
const empties = new Set(["DELETE /v1/projects/{projectId}/sandbox/messages"])

/** Each operation without a credential, with what it may refuse, and for what only reads its answer. */
export async function asksOfOperations(sample: SampleOrganization, baseUrl: string): Promise<Ask[]> {
  const { paths } = (await (await fetch(`${baseUrl}/v1/openapi.json`)).json()) as { paths: Record<string, object> }
  const key = { authorization: `Bearer ${sample.apiKey}` }
  return Object.entries(paths).flatMap(([template, operations]) => {
    const ids = template.replaceAll(/\{(\w+)\}/g, (_, id: string) => sample.ids[id] ?? "unknown")
    const unknown = template.replaceAll(/\{(\w+)\}/g, (_, id) => (id === "projectId" ? sample.projectId : "x_1"))
    const ask = (what: string, method: string, headers: Record<string, string> = {}, body = "{}"): Ask => ({
      ...{ name: `${method} ${template}, ${what}`, method, path: what === "stranger" ? ids : unknown },
      headers: { "content-type": "application/json", ...headers },
      ...(method === "GET" || method === "HEAD" ? {} : { body }),
    })
    const methods = Object.keys(operations).map((method) => method.toUpperCase())
    return [
      ...["HEAD", "OPTIONS", ...methods].map((method) => ask("stranger", method)),
      ...methods
        .filter((method) => !empties.has(`${method} ${template}`))
        .flatMap((method) => [
          ask("text", method, { ...key, "content-type": "text/plain" }),
          ask("no JSON", method, key, "{"),
          ask("unknown", method, key, '{"unknown":1}'),
        ]),
      ...(methods.includes("GET") ? [{ name: `GET ${template}`, method: "GET", path: ids, headers: key }] : []),
      // What tells of requests differs after each.
    ].filter(({ path }) => !/\/(usage|requests)/.test(path))
  })
}

/** What the operations do not declare: spellings of paths, headers, bodies. */
export function asksByHand({ projectId, apiKey, cookie }: SampleOrganization): Ask[] {
  const key = { authorization: `Bearer ${apiKey}` }
  const gzip = { "accept-encoding": "gzip, deflate, br" }
  const project = `/v1/projects/${projectId}`
  const get = (name: string, path: string, headers: Record<string, string> = key): Ask => ({
    name,
    method: "GET",
    path,
    headers,
  })
  const patch = (name: string, body: string | Buffer, headers: Record<string, string> = {}): Ask => ({
    ...{ name, method: "PATCH", path: project, body },
    headers: { ...key, "content-type": "application/json", ...headers },
  })
  return [
    get("the document", "/v1/openapi.json"),
    get("the document, gzip", "/v1/openapi.json", gzip),
    get("an export, gzip", `${project}/emails/export`, { ...key, ...gzip }),
    get("a small answer, gzip", project, { ...key, ...gzip }),
    get("by session", project, { cookie }),
    get("a query twice", `${project}/emails?size=1&size=2`),
    get("an encoded query", `${project}/emails?search=%C3%A9%20+&_rsc=x&nxtPprojectId=y`),
    get("a page's headers", project, { ...key, rsc: "1", "next-router-prefetch": "1", "next-action": "x" }),
    ...[
      "%2e%2e/projects",
      "%70rojects",
      "projects%2F",
      "projects%00",
      "Projects",
      "projects;x",
      "projects.json",
      "emails/batch",
    ].map((path) => get(path, `/v1/${path}`)),
    get("an encoded id", `/v1/%70rojects/${projectId.replace("p", "%70")}`),
    get("a slash in an id", `/v1/projects/${projectId}%2Femails`),
    get("nothing there", "/v1/emails/batch/stream"),
    patch("a changed name", '{"name":"mounts"}'),
    patch("across sites", '{"name":"mounts"}', { authorization: "", cookie, "sec-fetch-site": "cross-site" }),
    patch("2 MB", Buffer.alloc(2_000_000, " ")),
    patch("no UTF-8", Buffer.from([0x22, 0xff, 0x22])),
    patch("said to be compressed", "{}", { "content-encoding": "gzip" }),
    { name: "a stream's token", method: "POST", path: `/v1/emails/${projectId}/stream/token`, headers: key },
  ]
}

/** What no client library sends, as bytes; the last request of each closes the connection. */
export function rawRequests({ projectId, apiKey }: SampleOrganization): [name: string, bytes: string][] {
  const auth = `Host: localhost\r\nAuthorization: Bearer ${apiKey}\r\n`
  const path = `/v1/projects/${projectId}`
  const last = `GET ${path} HTTP/1.1\r\n${auth}Connection: close\r\n\r\n`
  const patch = `PATCH ${path} HTTP/1.1\r\n${auth}Content-Type: application/json\r\n`
  const body = '{"name":"mounts"}'
  const length = `Content-Length: ${body.length}\r\n`
  const chunk = `${(65_536).toString(16)}\r\n${" ".repeat(65_536)}\r\n`
  return [
    ["absolute form", last.replace(path, `http://elsewhere.test${path}`)],
    ["a fragment", last.replace(path, `${path}#x?y`)],
    ["no host", "GET /v1/projects HTTP/1.0\r\n\r\n"],
    ["TRACE", last.replace("GET", "TRACE")],
    ["HEAD", last.replace("GET", "HEAD")],
    ["Expect", `${patch}${length}Expect: 100-continue\r\n\r\n${body}${last}`],
    ["pipelined", `${patch}${length}\r\n${body}${last.replace("Connection: close\r\n", "")}${last}`],
    [
      "chunks",
      `${patch}Transfer-Encoding: chunked\r\n\r\n5;a=b\r\n${body.slice(0, 5)}\r\nc\r\n${body.slice(5)}\r\n0\r\n\r\n${last}`,
    ],
    [
      "chunks over the limit",
      `${patch}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`,
    ],
    ["a body where none is read", `${patch.replace("PATCH", "GET")}${length}\r\n${body}${last}`],
    ["two authorizations", last.replace("Connection", "Authorization: Bearer x\r\nConnection")],
    ["a header of Latin-1", last.replace("Connection", "X-Name: \u00e9\r\nConnection")],
  ]
}
