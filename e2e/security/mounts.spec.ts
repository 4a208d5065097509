import { mkdtempSync } from "node:fs"
import { request as httpRequest, type IncomingMessage } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { once } from "node:events"
import { buffer, text } from "node:stream/consumers"
import { setTimeout as wait } from "node:timers/promises"
import { gunzipSync } from "node:zlib"
import { expect, test } from "@playwright/test"
import { askDatabase } from "@/e2e/support/chaos/own-product"
import { freePorts } from "@/e2e/support/free-port"
import { removeData, startProduct, type Product } from "@/e2e/support/product"
import { asksByHand, asksOfOperations, rawRequests, type Ask } from "@/e2e/security/mount-asks"
import { checkMaxMs } from "@/lib/domains/check/check"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"

// The API has two mounts: the web server calls its route handlers itself, or Next does. Nobody may notice which.

const mounts = ["direct", "next"] as const
const dataDir = mkdtempSync(join(tmpdir(), "mailroom-mounts-"))
let sample: SampleOrganization
let answers: Map<string, unknown>[]
/** Ids of the last request before each stop, and what the log of requests says after it. */
let last: string[]
let logged: string[]

test.beforeAll(async () => {
  test.setTimeout(300_000)
  const ports = await freePorts()
  ;[answers, last, logged] = [[], [], []]
  for (const mount of mounts) {
    const extra = { API_MOUNT: mount, WEB_PROCESSES: "1", PUBLIC_REQUESTS_PER_MINUTE: "100000" }
    const product = await startProduct(ports, { ...extra, FAILED_CREDENTIALS_PER_MINUTE: "100000" }, dataDir)
    try {
      if (last.length) logged.push(JSON.stringify(await (await askRequests(product)).json()))
      sample ??= await createSampleOrganization("mounts", product)
      await holdDomainChecks()
      answers.push(await answersOf(product))
      last.push((await askRequests(product)).headers.get("x-request-id") ?? "")
    } finally {
      await product.stop()
    }
  }
})
test.afterAll(() => removeData(dataDir))

test("both mounts answer every operation, every kind of refusal and every spelling of a path alike, byte for byte", () => {
  const [direct, next] = answers
  expect(direct?.size).toBeGreaterThan(500)
  for (const [name, answer] of direct ?? []) {
    const [one, other] = [answer, next?.get(name)].map((each) => JSON.stringify(each) ?? "no answer")
    expect.soft(differenceOf(one ?? "", other ?? ""), name).toBe("")
  }
})

test("a product that stops writes the usage records of its last second", () => {
  expect(logged).toEqual([expect.stringContaining(`"${last[0]}"`)])
})

/** A tracked host that is not reached is checked again and again, and each check that finds a change is listed. */
async function holdDomainChecks() {
  await askDatabase(dataDir, "UPDATE domains SET due_at = NULL")
  await wait(checkMaxMs)
  await askDatabase(dataDir, "UPDATE domains SET due_at = NULL")
}

function askRequests({ baseUrl }: Product): Promise<Response> {
  const headers = { authorization: `Bearer ${sample.apiKey}` }
  return fetch(`${baseUrl}/v1/projects/${sample.projectId}/requests`, { headers })
}

async function answersOf({ baseUrl }: Product): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>()
  const asks = [...(await asksOfOperations(sample, baseUrl)), ...asksByHand(sample)]
  for (const [at, ask] of asks.entries()) {
    // How often one may ask is not what this is about.
    if (at % 20 === 0) await askDatabase(dataDir, "DELETE FROM rate_windows")
    found.set(ask.name, await onceNamesAnswer(() => unlessCut(() => answerOf(baseUrl, ask))))
  }
  for (const [name, bytes] of rawRequests(sample)) found.set(name, await unlessCut(() => rawAnswer(baseUrl, bytes)))
  return found
}

/** What each answers where they part, with what stands around it. */
function differenceOf(one: string, other: string): string {
  if (one === other) return ""
  let at = 0
  while (one[at] === other[at]) at++
  return [one, other].map((each) => each.slice(Math.max(0, at - 150), at + 150)).join("\n")
}

/** A name server that a busy machine keeps waiting has no say: what asks name servers is asked once more. */
async function onceNamesAnswer(ask: () => ReturnType<typeof answerOf>) {
  let answer = await ask()
  for (let again = 0; again < 5 && answer.body.includes('"outcome":"unknown"'); again++) answer = await ask()
  return answer
}

/** Who refuses a body answers and closes while it is being written, and the answer can be lost with that (RFC 9112 section 9.6). */
async function unlessCut<T>(ask: () => Promise<T>, triesLeft = 3): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException
    if (triesLeft > 1 && ["EPIPE", "ECONNRESET"].includes(code)) return unlessCut(ask, triesLeft - 1)
    throw error
  }
}

async function answerOf(baseUrl: string, { method, path, headers, body }: Ask) {
  const { hostname, port } = new URL(baseUrl)
  // Node says the length of a body by itself only for methods that usually have one.
  const length = body ? { "content-length": Buffer.byteLength(body) } : {}
  const all = { ...headers, ...length }
  const request = httpRequest({ hostname, port, method, path, headers: all, agent: false }).end(body)
  const [response] = (await once(request, "response")) as [IncomingMessage]
  const bytes = await buffer(response)
  const read = response.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes
  const own = Object.entries(response.headers).filter(([header]) => !framing.has(header))
  return {
    status: response.statusCode,
    headers: own.map(([header, value]) => plain(`${header}: ${String(value)}`)).sort(),
    body: plain(read.toString("latin1")),
  }
}

/** Statuses and bodies of everything that is answered until the server closes. */
async function rawAnswer(baseUrl: string, bytes: string) {
  const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1")
  socket.write(Buffer.from(bytes, "latin1"))
  return plain(await text(socket)).match(/HTTP\/1\.1 \d{3}|\{".*\}/g)
}

/** How an answer is sent: of the connection, and compressed, where a mount decides for itself. */
const framing = new Set([
  ...["vary", "date", "connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding"],
])

/** Without what differs between two answers of one mount: ids of requests, tokens, challenges, times and counts. */
function plain(said: string): string {
  return said
    .replaceAll(/req_[0-9a-z]{26}|urn:uuid:[0-9a-f-]{36}/g, "<request>")
    .replaceAll(/\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d[.\d]*z/gi, "<time>")
    .replaceAll(/((?:x-ratelimit-remaining|x-ratelimit-reset|retry-after): )\d+/gi, "$1<count>")
    .replaceAll(/("requestCount":)\d+/g, "$1<count>")
    .replaceAll(/"(token|challenge)":"[^"]+"/g, '"$1":"<random>"')
}
