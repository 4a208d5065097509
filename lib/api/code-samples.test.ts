import { execFileSync } from "node:child_process"
import { transform } from "esbuild"
import { expect, test } from "vitest"
import { apiDocument } from "@/lib/api/openapi"
import { endpoints } from "@/lib/api/registry"
import type { CodeSample } from "@/lib/platform/http/samples"
import { methodOf, pathOf, type Endpoint } from "@/lib/platform/http/endpoint"

type Operation = { description?: string; "x-codeSamples": CodeSample[]; responses: Record<string, unknown> }
const paths = apiDocument().paths as Record<string, Record<string, Operation>>
const operationOf = (endpoint: Endpoint) => paths[pathOf(endpoint)]?.[methodOf(endpoint).toLowerCase()]
const sampleOf = (endpoint: Endpoint, lang: string) =>
  operationOf(endpoint)?.["x-codeSamples"].find((sample) => sample.lang === lang)?.source ?? ""

type Call = { method: string; url: string; headers: Headers; body: unknown }

/** Whether a call is one that the operation takes, by its route, query and body. */
function faultsOf(endpoint: Endpoint, { method, url, headers, body }: Call): string[] {
  const { pathname, searchParams } = new URL(url)
  const pattern = new RegExp(`^${pathOf(endpoint).replaceAll(/\{\w+\}/g, "[^/]+")}$`)
  const query = Object.entries(endpoint.query ?? {}).filter(
    ([name, schema]) => !schema.safeParse(searchParams.get(name) ?? undefined).success,
  )
  const unknown = [...searchParams.keys()].filter((name) => !(name in (endpoint.query ?? {})))
  const judged = endpoint.body?.safeParse(body)
  const wanted = { any: "authorization", key: "authorization", session: "cookie", none: null }[
    endpoint.access.credential
  ]
  return [
    ...(method === methodOf(endpoint) ? [] : [`method ${method}`]),
    ...(pattern.test(pathname) ? [] : [`path ${pathname}`]),
    ...query.map(([name]) => `query ${name}`),
    ...unknown.map((name) => `unknown query ${name}`),
    ...(judged && !judged.success ? [`body ${judged.error.message}`] : []),
    ...(endpoint.operationId === "streamEmailEvents" && !searchParams.get("token") ? ["no token"] : []),
    ...(wanted && !headers.has(wanted) ? [`no ${wanted}`] : []),
  ]
}

const titled = endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const)

test.each(titled)("%s is described, and says its problems, permission and limit", (_, endpoint) => {
  const operation = operationOf(endpoint)
  const { access, bucket } = endpoint
  expect(endpoint.description?.length ?? 0).toBeGreaterThan(20)
  if (access.credential !== "none")
    for (const permission of access.anyOf) expect(operation?.description).toContain(`\`${permission}\``)
  if (bucket) expect(operation?.description).toContain(`Bucket \`${bucket.policy}\``)
  const statuses = new Set(endpoint.problems.map(({ status }) => String(status)))
  expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining([...statuses, "default"]))
})

test.each(titled)("the TypeScript example of %s makes a call that the operation takes", async (_, endpoint) => {
  const { code } = await transform(sampleOf(endpoint, "TypeScript"), { loader: "ts" })
  // A file to upload is the only thing that an example imports.
  const body = code.replaceAll(/^import .*$/gm, "")
  const calls: Call[] = []
  const fetched = async (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    const isJson = headers.get("content-type") === "application/json"
    const text = isJson && typeof init.body === "string" ? init.body : undefined
    calls.push({
      method: init.method ?? "GET",
      url,
      headers,
      body: text === undefined ? undefined : JSON.parse(text),
    })
    return new Response("{}")
  }
  const run = new Function("fetch", "readFile", "openAsBlob", `return (async () => {${body}\n})()`)
  await run(
    fetched,
    async () => "email\nada@lovelace.example\n",
    async () => new Blob(["x"]),
  )
  expect(calls).toHaveLength(1)
  for (const call of calls) expect(faultsOf(endpoint, call)).toEqual([])
})

test("the curl example of every operation makes a call that the operation takes", () => {
  // A shell splits the words, and a function in curl's place prints them.
  const script = endpoints.map((endpoint) => `${sampleOf(endpoint, "Shell")}\nprintf '\\1'`).join("\n")
  const printed = execFileSync("bash", ["-c", `curl() { printf '%s\\0' "$@"; }\n${script}`], {
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", KEY: "mr_live_x", SESSION: "s", TOKEN: "st", NODE_ENV: "test" },
  })
  const all = printed.split("\u0001").slice(0, -1)
  expect(all).toHaveLength(endpoints.length)
  all.forEach((words, at) => {
    const endpoint = endpoints[at]
    if (endpoint) expect(faultsOf(endpoint, callOf(words.split("\0").slice(0, -1))), endpoint.operationId).toEqual([])
  })
})

function callOf(words: string[]): Call {
  const headers = new Headers()
  const call = { method: "GET", url: "", headers, body: undefined as unknown }
  for (let at = 0; at < words.length; at++) {
    const value = words[at + 1] ?? ""
    switch (words[at]) {
      case "-X":
        call.method = value
        break
      case "-H":
        headers.set(value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1).trim())
        break
      case "--cookie":
        headers.set("cookie", value)
        break
      case "-d":
        call.body = JSON.parse(value)
        break
      case "-F":
      case "--data-binary":
        break
      default:
        call.url = words[at] ?? ""
        continue
    }
    at++
  }
  return call
}
