import { createServer, type RequestListener } from "node:http"
import { createServer as createTlsServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import tls from "node:tls"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { api } from "@/e2e/support/world"
import { selfSignedCertificate } from "@/e2e/support/delivery/certificate"
import { leadsToUs } from "@/lib/domains/check/check"
import { newStage, type Stage } from "@/e2e/support/domains/stage"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import type { Dns } from "@/lib/platform/dns/dns"
import { provideEnv } from "@/lib/platform/env/env"
import { serveTracking } from "@/lib/tracking/serve/serve"

// The certificate is for this name, and this process alone trusts it.
const host = "localhost"
const certificate = selfSignedCertificate()
const trusted = { ca: certificate.cert }
const answers: RequestListener = (request, response) => void serveTracking(request, response)

let server: Server | undefined
beforeAll(() => provideEnv({ ALLOW_PRIVATE_WEBHOOKS: "127.0.0.0/8" }))
afterEach(() => {
  vi.restoreAllMocks()
  server?.close()
  server = undefined
})

/** Answers at port 443 of every host, as far as this process's requests go. */
async function answering(handle: RequestListener, options: tls.ConnectionOptions = trusted) {
  server = createTlsServer(certificate, handle)
  await new Promise<void>((listening) => server?.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket
  vi.spyOn(tls, "connect").mockImplementation(((given: tls.ConnectionOptions) =>
    connect({ ...given, servername: host, port, ...options })) as never)
}

const dnsWith = (answer: object) => ({ addresses: async () => ({ ...answer, askedServers: [] }) }) as unknown as Dns
const found = dnsWith({ kind: "found", values: ["127.0.0.1"] })

describe("a host of tracked links", () => {
  test("leads to us when it answers our proof by https with a certificate that is valid for it", async () => {
    await answering(answers)
    expect(await leadsToUs(host, found)).toBe(true)
  })

  test("does not with a certificate that nobody signed, or one for another name", async () => {
    await answering(answers, {})
    expect(await leadsToUs(host, found)).toBe(false)
    server?.close()
    await answering(answers, { ...trusted, servername: "links.acme.test" })
    expect(await leadsToUs(host, found)).toBe(false)
  })

  test.each<[string, RequestListener]>([
    ["a page for everything", (_, response) => void response.end("Welcome")],
    ["nothing", (_, response) => void response.writeHead(200).end()],
    ["the path back", (request, response) => void response.end(request.url)],
    ["a redirect to us", (_, response) => void response.writeHead(302, { location: "http://localhost:3000/" }).end()],
  ])("does not when it answers %s", async (_, handle) => {
    await answering(handle)
    expect(await leadsToUs(host, found)).toBe(false)
  })

  test("does not without a connection, an address, or at one that is not public; a failed lookup leaves it open", async () => {
    expect(await leadsToUs("links.acme.test", found)).toBe(false)
    expect(await leadsToUs(host, dnsWith({ kind: "missing", reason: "no-name" }))).toBe(false)
    expect(await leadsToUs("links.acme.test", dnsWith({ kind: "found", values: ["10.0.0.1"] }))).toBe(false)
    expect(await leadsToUs(host, dnsWith({ kind: "error", reason: "timeout" }))).toBe(null)
  })
})

describe("the tracking status of a domain", () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await newStage()
  })
  beforeEach(() => stage.reset())
  afterAll(async () => {
    await stage.close()
    await closeDatabase()
  })

  test("is verified while its host answers by https, whatever its record is, and pending when it no longer does", async () => {
    const { world, id, domainId, call } = await stage.registered()
    await pool().query("UPDATE domains SET tracking_domain = 'links.acme.com' WHERE id = $1", [id])
    const verify = () => call("POST /v1/projects/{projectId}/domains/{domainId}/verify")
    const status = async () => {
      await verify()
      const { json } = await api("GET /v1/projects/{projectId}/domains", {
        key: world.apiKey,
        params: { projectId: world.project },
      })
      return json.data.find((item: { id: string }) => item.id === domainId).trackingStatus
    }
    // A lookup that a busy machine does not answer in time leaves the status as it was, until the next check.
    const becomes = (wanted: string) => expect.poll(status, { timeout: 20_000 }).toBe(wanted)
    expect(await status()).toBe("not_configured")
    // Flattened by the owner's provider: addresses instead of an alias.
    for (const server of stage.servers) server.answer("links.acme.com", "A", ["127.0.0.1"])
    await becomes("pending")
    await answering(answers, { ...trusted, checkServerIdentity: () => undefined })
    await becomes("verified")
    expect((await verify()).json.verificationRecords.trackingCname.status).toBe("verified")
    await new Promise<void>((closed) => server?.close(() => closed()))
    await becomes("pending")
  }, 120_000)
})

test("the server without TLS is of no use", async () => {
  const plain = createServer(answers)
  await new Promise<void>((listening) => plain.listen(0, "127.0.0.1", listening))
  const { port } = plain.address() as AddressInfo
  const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => tls.TLSSocket
  vi.spyOn(tls, "connect").mockImplementation(((given: tls.ConnectionOptions) => connect({ ...given, port })) as never)
  expect(await leadsToUs(host, found)).toBe(false)
  plain.close()
})
