import { expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { api, newWorld, type World } from "@/e2e/support/world"
import type { Route } from "@/lib/platform/http/endpoint"

const blockedMsMax = 500
const batch: Route = "POST /v1/emails/batch"
const imports: Route = "POST /v1/projects/{projectId}/suppressions/import"
const list = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join(",")
const item = (fields: string) => `{"from":"a@b.test","subject":"s","text":"t",${fields}}`

const bodies: [string, Route, number, () => string][] = [
  ["1,000,000 names", "POST /v1/emails", 413, () => `{"metadata":{${list(1_000_000, (at) => `"${at}":1`)}}}`],
  ["3,000,000 empty objects", batch, 413, () => `{"items":[${list(3_000_000, () => "{}")}]}`],
  ["3,000,000 empty lists", batch, 413, () => `{"items":[${list(3_000_000, () => "[]")}]}`],
  ["a map of 90,000 entries", "POST /v1/emails", 400, () => `{"metadata":{${list(90_000, (at) => `"${at}":1`)}}}`],
  ["90,000 items", batch, 400, () => `{"items":[${list(90_000, () => "{}")}]}`],
  [
    "100 items with 900 wrong recipients each",
    batch,
    200,
    () => `{"items":[${list(100, () => item(`"to":[${list(900, () => '"bad"')}]`))}]}`,
  ],
  [
    "100 items with 900 unknown fields each",
    batch,
    200,
    () => `{"items":[${list(100, () => `{${list(900, (at) => `"f${at}":1`)}}`)}]}`,
  ],
  [
    "100 items with 900 wrong headers each",
    batch,
    200,
    () => `{"items":[${list(100, () => item(`"headers":{${list(900, (at) => `"f ${at}":1`)}}`))}]}`,
  ],
  ["100,000 wrong rows", imports, 200, () => `{"suppressions":[${list(100_000, () => '{"email":"bad"}')}]}`],
  [
    "100,000 rows",
    imports,
    200,
    () => `{"suppressions":[${list(100_000, (at) => `{"email":"a${at}@b.test","reason":"bounce"}`)}],"dryRun":true}`,
  ],
]

let world: World | undefined

test.each(bodies)("%s keep nobody else waiting for half a second", measured, async (_, route, status, bodyOf) => {
  world ??= await newWorld()
  const params = route === imports ? { params: { projectId: world.project } } : {}
  const call = { key: world.apiKey, rawBody: bodyOf(), headers: { "content-type": "application/json" }, ...params }
  // The CPU's clock: on a busy machine the process may stand still without doing anything.
  const cpuMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1_000
  let [blockedMs, last] = [0, cpuMs()]
  const look = () => {
    const now = cpuMs()
    blockedMs = Math.max(blockedMs, now - last)
    last = now
  }
  const timer = setInterval(look, 5)
  const answer = await api(route, call)
  clearInterval(timer)
  look()
  expect(answer.status, "the status").toBe(status)
  expect(blockedMs, "milliseconds of work between two others' turns").toBeLessThan(blockedMsMax)
})
