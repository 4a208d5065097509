import { api, newWorld, type Call, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { createDns } from "@/lib/platform/dns/dns"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"
import type { Route } from "@/lib/platform/http/endpoint"
import { decodeId } from "@/lib/platform/ids"
import { type Io } from "@/lib/platform/io"
import type { RecognizedProvider } from "@/lib/domains/diagnosis/hosting"
import { systemIo } from "@/lib/regions/io"

export type Wire = {
  name: string
  type: string
  value: string
  priority?: number
  status?: string
  found?: string[]
  likelyCause?: { code: string; fix: string }
  retired?: { value: string; keepUntil: string }
}

export type Registered = {
  world: World
  /** uuid */
  id: string
  /** dom_… */
  domainId: string
  records: Record<"mailFromMx" | "mailFromSpf" | "dmarcRecommended" | "trackingCname", Wire> & { dkim: [Wire, Wire] }
  /** Calls an operation of this domain with the key of its project. */
  call(route: Route, call?: Call): ReturnType<typeof api>
  provider?: RecognizedProvider
}

export type Stage = Awaited<ReturnType<typeof newStage>>

const service = "/v1/projects/{projectId}/domains"

/** Name servers on loopback, all alike unless a test makes them differ, a clock to set, and domains of acme.com. */
export async function newStage(serverCount = 1, patience = { timeoutMs: 200, totalMs: 1_000 }) {
  const servers: TestDnsServer[] = []
  while (servers.length < serverCount) servers.push(await startDnsServer())
  const dns = createDns({ servers, ...patience })
  const time = { now: Date.now() }
  const io: Io = { ...systemIo(), dns, clock: { now: () => new Date(time.now) } }

  return {
    servers,
    io,
    time,
    reset,
    publish,
    registered,
    makeDue,
    close: () => Promise.all(servers.map((one) => one.close())),
  }

  /** Removes every record but the service's own names, and sets the clock. */
  function reset() {
    time.now = Date.now()
    for (const server of servers) {
      server.forgetAll()
      server.answer("spf.eu-west-1.mailroom.test", "TXT", ["v=spf1 ip4:127.0.0.1 ip6:::1 -all"])
      server.answer("acme.com._report._dmarc.dmarc.mailroom.test", "TXT", ["v=DMARC1;"])
    }
  }

  function publish(records: Wire[], at = servers) {
    for (const server of at) {
      for (const { name, type, value, priority } of records) {
        if (type === "TXT") server.answer(name, "TXT", [value.match(/.{1,255}/g) ?? []])
        if (type === "MX") server.answer(name, "MX", [{ exchange: value, preference: priority }])
        if (type === "CNAME") server.answer(name, "CNAME", [value])
      }
    }
  }

  async function registered(domain = "acme.com"): Promise<Registered> {
    const world = await newWorld()
    const { json } = await api(`POST ${service}`, {
      key: world.apiKey,
      params: { projectId: world.project },
      body: { domain, region: "eu-west-1" },
      io,
    })
    const params = { projectId: world.project, domainId: json.id }
    return {
      world,
      id: decodeId("dom", json.id) ?? "",
      domainId: json.id,
      records: json.verificationRecords,
      provider: json.provider,
      call: (route, call = {}) => api(route, { key: world.apiKey, params, io, ...call }),
    }
  }

  /** Makes this domain, and no other, due: a second ago, since the column's milliseconds round up. */
  async function makeDue(id: string) {
    await pool().query(
      "UPDATE domains SET due_at = CASE WHEN id = $1 THEN now() - interval '1 second' ELSE now() + interval '1 day' END",
      [id],
    )
  }
}
