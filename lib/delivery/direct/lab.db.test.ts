import { createHash, X509Certificate } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import {
  mailDomain,
  policyRecords,
  type PostfixLab,
  serverAddresses,
  type ServerName,
  startPostfixLab,
} from "@/e2e/support/delivery/postfix-lab"
import type { DnsRecord } from "@/e2e/support/delivery/signed-dns"
import {
  deliverDue,
  newSending,
  passWait,
  type Sending,
  sendMail,
  suppressedAddresses,
} from "@/e2e/support/delivery/sending"
import { api } from "@/e2e/support/world"
import { createDirectTransport } from "@/lib/delivery/direct/transport"
import { findOutages } from "@/lib/delivery/regions/data"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { pool } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import type { Certificate } from "@/lib/platform/smtp-server/certificate"
import { regionSettings } from "@/lib/regions/settings"

// Mail that leaves directly, to real servers: Postfix, Knot DNS and unbound. What they cannot do (faults of a protocol, attacks)
// is played in the tests beside this one.

const labStartsWithinMs = 20_000
let lab: PostfixLab
let labMs = 0
let sender: Sending
let relays: Relays

beforeAll(async () => {
  const startedAt = performance.now()
  lab = await startPostfixLab()
  labMs = performance.now() - startedAt
  provideEnv(lab.variables)
  sender = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 100000 WHERE id = $1", [sender.projectId])
  await restart()
})

afterAll(async () => {
  await relays.close()
  await lab.stop()
})

/** What becomes of one email: how its last attempt ended, at which host, and how safe the connection was. */
type Ending = { status: string; bounce?: string; host: string; tls: string }

type Case = {
  domain: string
  records: (domain: string) => DnsRecord[]
  /** Text of the domain's MTA-STS policy. */
  policy?: (domain: string) => string
  ends: Ending
}

const delivered = (host: string, tls: string): Ending => ({ status: "delivered", host, tls })
const waits = (host: string, tls = "none"): Ending => ({ status: "sending", host, tls })
const bounced = (bounce: string, host: string): Ending => ({ status: "bounced", bounce, host, tls: "none" })

/** Each case has one server, named after its domain. */
const hostOf = (domain: string) => domain.replace(/\.(test|plain)$/, ".mx.$1")
const at = (server: ServerName) => (domain: string) => mailDomain(domain, [hostOf(domain), server])
const tlsa = (host: string, ...values: string[]): DnsRecord => ({ name: `_25._tcp.${host}`, type: "TLSA", values })
const ofKey = () => `3 1 1 ${keyHash(lab.certificates.selfSigned)}`
const ofNoKey = `3 1 1 ${"00".repeat(32)}`

const cases: Record<string, Case> = {
  "prefers the server with the lower number": {
    domain: "order.plain",
    records: (domain) => mailDomain(domain, ["first.mx.plain", "plain"], ["second.mx.plain", "selfSigned"]),
    ends: delivered("first.mx.plain", "none"),
  },
  "sends to the domain itself where it has no MX": {
    domain: "implicit.plain",
    records: (name) => [{ name, type: "A", values: [serverAddresses.plain] }],
    ends: delivered("implicit.plain", "none"),
  },
  "bounces for a domain that says that it receives no mail": {
    domain: "null.plain",
    records: (name) => [{ name, type: "MX", values: ["0 ."] }],
    ends: bounced("hard 5.1.2", "null.plain"),
  },
  "follows the alias of a server": {
    domain: "alias.plain",
    records: (domain) => [
      { name: domain, type: "MX", values: ["10 alias.mx.plain."] },
      { name: "alias.mx.plain", type: "CNAME", values: ["target.mx.plain."] },
      { name: "target.mx.plain", type: "A", values: [serverAddresses.selfSigned] },
    ],
    ends: delivered("alias.mx.plain", "encrypted"),
  },
  "never dials a private address": {
    domain: "private.plain",
    records: (domain) => [
      { name: domain, type: "MX", values: ["10 private.mx.plain."] },
      { name: "private.mx.plain", type: "A", values: ["10.0.0.1"] },
    ],
    ends: bounced("soft 5.4.4", "private.plain"),
  },
  "never dials this machine's own address": {
    domain: "own.plain",
    records: (domain) => [
      { name: domain, type: "MX", values: ["10 own.mx.plain."] },
      { name: "own.mx.plain", type: "A", values: ["127.0.0.1"] },
    ],
    ends: bounced("soft 5.4.4", "own.plain"),
  },
  "waits for a domain whose name server fails": {
    domain: "away.refused",
    records: () => [],
    ends: waits("away.refused"),
  },
  "waits for a domain whose signatures are false": {
    domain: "false.bogus",
    records: (domain) => mailDomain(domain, ["false.mx.plain", "plain"]),
    ends: waits("false.bogus"),
  },
  "delivers to the key that a TLSA record names": {
    domain: "dane.test",
    records: (domain) => [...at("selfSigned")(domain), tlsa(hostOf(domain), ofKey())],
    ends: delivered("dane.mx.test", "dane by dane"),
  },
  "waits where a TLSA record names another key": {
    domain: "mismatch.test",
    records: (domain) => [...at("selfSigned")(domain), tlsa(hostOf(domain), ofNoKey)],
    ends: waits("mismatch.mx.test", "none by dane"),
  },
  "waits where a TLSA record demands encryption and the server offers none": {
    domain: "stripped.test",
    records: (domain) => [...at("plain")(domain), tlsa(hostOf(domain), ofKey())],
    ends: waits("stripped.mx.test", "none by dane"),
  },
  "waits where the TLSA records cannot be looked up": {
    domain: "tlsa.test",
    records: (domain) => [...at("selfSigned")(domain), ...unreadable(`_25._tcp.${hostOf(domain)}`)],
    ends: waits("tlsa.mx.test"),
  },
  "delivers by a policy of MTA-STS to a valid certificate": {
    domain: "enforced.plain",
    records: (domain) => [...at("certified")(domain), ...policyRecords(domain, "1")],
    policy: (domain) => policyText("enforce", hostOf(domain)),
    ends: delivered("enforced.mx.plain", "valid by mta-sts"),
  },
  "delivers in spite of a policy that only tests": {
    domain: "testing.plain",
    records: (domain) => [...at("selfSigned")(domain), ...policyRecords(domain, "1")],
    policy: () => policyText("testing", "elsewhere.mx.plain"),
    ends: delivered("testing.mx.plain", "encrypted"),
  },
  "keeps to a policy that it knows while DNS is silent": {
    domain: "kept.test",
    records: (domain) => [...at("selfSigned")(domain), ...silenced(`_mta-sts.${domain}`)],
    ends: waits("kept.mx.test", "none by mta-sts"),
  },
  "encrypts whatever the certificate where nothing is demanded": {
    domain: "opportunistic.plain",
    records: at("selfSigned"),
    ends: delivered("opportunistic.mx.plain", "encrypted"),
  },
  "waits where it is greylisted": {
    domain: "greylisting.plain",
    records: at("greylisting"),
    ends: waits("greylisting.mx.plain", "encrypted"),
  },
  "waits where the only server answers 421 to the connection": {
    domain: "closing.plain",
    records: at("closing"),
    ends: waits("closing.mx.plain"),
  },
  "goes on to the second server where the first one answers 421": {
    domain: "second.plain",
    records: (domain) => mailDomain(domain, ["closing-first.mx.plain", "closing"], ["open.mx.plain", "certified"]),
    ends: delivered("open.mx.plain", "encrypted"),
  },
}

it(`the lab starts within ${labStartsWithinMs / 1_000} s`, () => {
  expect(labMs).toBeLessThan(labStartsWithinMs)
  figures("the lab of real mail servers", { "ready in ms": labMs })
})

describe("a region that sends directly, by POST /v1/emails to real servers,", () => {
  const ids = new Map<string, string>()

  beforeAll(async () => {
    // The policy that is kept has to be known before its record is silenced.
    const { domain } = cases["keeps to a policy that it knows while DNS is silent"] as Case
    lab.policies.set(domain, policyText("enforce", hostOf(domain)))
    await lab.publish(...at("certified")(domain), ...policyRecords(domain, "1"))
    const [first = ""] = await sendMail(sender, { to: [`first@${domain}`] })
    await deliverDue(relays)
    expect(await endingOf(first)).toEqual(delivered(hostOf(domain), "valid by mta-sts"))
    await lab.publish({ name: `_mta-sts.${domain}`, type: "TXT", values: [] })
    await restart()

    for (const { domain, policy } of Object.values(cases)) if (policy) lab.policies.set(domain, policy(domain))
    await lab.publish(...Object.values(cases).flatMap(({ domain, records }) => records(domain)))
    for (const [title, { domain }] of Object.entries(cases)) {
      const [id = ""] = await sendMail(sender, { to: [`ada@${domain}`] })
      ids.set(title, id)
    }
    await deliverDue(relays)
  })

  it.each(Object.entries(cases))("%s", async (title, { ends }) => {
    expect(await endingOf(ids.get(title) ?? "")).toEqual(ends)
  })

  it("delivers what was greylisted at the next attempt", async () => {
    const id = ids.get("waits where it is greylisted") ?? ""
    await passWait(id)
    await deliverDue(relays)
    expect(await endingOf(id)).toEqual(delivered("greylisting.mx.plain", "encrypted"))
  })

  it("takes nothing of it for a fault of its own or of a recipient who may have mail later", async () => {
    expect(await findOutages()).toEqual([])
    expect(await suppressedAddresses(sender)).toEqual(["ada@null.plain"])
  })
})

/** Of each attack; each mail is an email of its own. */
const attackedMails = size(5, 200)

type Attack = {
  domain: string
  /** Where the mail would go. */
  server: ServerName
  prepare?: () => Promise<void>
  attacked: DnsRecord[]
  repaired: DnsRecord[]
}

describe("G34: what a domain demands is kept or its mail waits:", () => {
  const attack = (
    name: string,
    server: ServerName,
    rest: (domain: string, host: string) => Omit<Attack, "domain" | "server">,
  ) => {
    const domain = `${name}.test`
    return { domain, server, ...rest(domain, hostOf(domain)) }
  }

  const attacks: Record<string, () => Attack> = {
    "a certificate that MTA-STS does not take": () =>
      attack("g34-sts", "selfSigned", (domain) => {
        lab.policies.set(domain, policyText("enforce", hostOf(domain)))
        return {
          attacked: [...at("selfSigned")(domain), ...policyRecords(domain, "1")],
          repaired: at("certified")(domain),
        }
      }),
    "a key that the TLSA record does not name": () =>
      attack("g34-key", "selfSigned", (domain, host) => ({
        attacked: [...at("selfSigned")(domain), tlsa(host, ofNoKey)],
        repaired: [tlsa(host, ofKey())],
      })),
    "a server that offers no encryption any more": () =>
      attack("g34-stripped", "plain", (domain, host) => ({
        attacked: [...at("plain")(domain), tlsa(host, ofKey())],
        repaired: at("selfSigned")(domain),
      })),
    "TLSA records that cannot be looked up": () =>
      attack("g34-tlsa", "selfSigned", (domain, host) => ({
        attacked: [...at("selfSigned")(domain), ...unreadable(`_25._tcp.${host}`)],
        repaired: [{ name: `_25._tcp.${host}`, type: "CNAME", values: [] }, tlsa(host, ofKey())],
      })),
    "an MX whose signatures are false": () =>
      attack("g34-mx", "plain", (domain) => ({
        attacked: [
          { name: domain, type: "CNAME", values: ["g34.bogus."] },
          ...mailDomain("g34.bogus", [hostOf(domain), "plain"]),
        ],
        repaired: [{ name: domain, type: "CNAME", values: [] }, ...at("selfSigned")(domain)],
      })),
    "a policy of MTA-STS whose record is removed": () =>
      attack("g34-removed", "plain", (domain) => ({
        prepare: async () => {
          lab.policies.set(domain, policyText("enforce", hostOf(domain)))
          await lab.publish(...at("certified")(domain), ...policyRecords(domain, "1"))
          await sendMail(sender, { to: [`first@${domain}`] })
          await deliverDue(relays)
          lab.policies.delete(domain)
        },
        attacked: [...at("plain")(domain), { name: `_mta-sts.${domain}`, type: "TXT", values: [] }],
        repaired: at("certified")(domain),
      })),
  }

  it.each(Object.entries(attacks))(
    `with %s none of ${attackedMails} mails is begun, and all are delivered at the next attempt once it is repaired`,
    { timeout: 300_000 },
    async (_, attackOf) => {
      const { domain, server, prepare, attacked, repaired } = attackOf()
      await prepare?.()
      await lab.publish(...attacked)
      await restart()
      const before = (await lab.sessions(server)).length
      const ids = await sendEach(domain, attackedMails)
      await deliverDue(relays)
      await restart()
      const sessions = (await lab.sessions(server)).slice(before)
      expect(sessions.filter(({ mail = 0 }) => mail > 0)).toEqual([])
      expect(await statusesOf(ids)).toEqual({ sending: attackedMails })

      await lab.publish(...repaired)
      for (const id of ids) await passWait(id)
      await deliverDue(relays)
      expect(await statusesOf(ids)).toEqual({ delivered: attackedMails })
      const attempts = await pool().query("SELECT DISTINCT attempt_count FROM deliveries WHERE email_id = ANY ($1)", [
        ids,
      ])
      expect(attempts.rows).toEqual([{ attempt_count: 2 }])
    },
  )
})

const toFive = size(150, 1_500)

it(
  `G33: of ${toFive} mails to a Postfix that takes five connections of a client none is deferred, and at most 10 connections are refused`,
  { timeout: 300_000 },
  async () => {
    const domain = "five.plain"
    await lab.publish(...at("fiveAtOnce")(domain))
    const ids = await sendEach(domain, toFive)
    await deliverDue(relays)
    const { rows } = await pool().query(
      `SELECT a.outcome, d.status, d.attempt_count, count(*)::int FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id
        WHERE d.email_id = ANY ($1) GROUP BY 1, 2, 3`,
      [ids],
    )
    expect(rows).toEqual([{ outcome: "accepted", status: "delivered", attempt_count: 1, count: toFive }])
    await restart()
    const sessions = await lab.sessions("fiveAtOnce")
    const refused = sessions.filter(({ ehlo = 0 }) => ehlo === 0).length
    figures("a Postfix that takes five connections", { mails: toFive, connections: sessions.length, refused })
    expect(refused).toBeLessThanOrEqual(10)
  },
)

/** Workers that have just started: they remember nothing but what is stored. Connections of the others are closed. */
async function restart(): Promise<void> {
  await (relays as Relays | undefined)?.close()
  relays = createRelays((profile) => {
    if (profile.transport !== "direct") throw new Error("All regions are direct here.")
    const { serviceDomain } = env()
    return createDirectTransport({ ...profile, ...regionSettings().direct, serviceDomain, ca: lab.authority })
  })
}

/** How an email to one recipient stands, by the API. */
async function endingOf(id: string): Promise<Ending> {
  const { json } = await api("GET /v1/projects/{projectId}/emails/{emailId}/deliveries", {
    key: sender.apiKey,
    params: { projectId: encodeId("proj", sender.projectId), emailId: encodeId("email", id) },
  })
  const [{ status, bounceType, bounceCode, attempts }] = json.data
  const { remote, tlsLevel = "none", tlsPolicy } = attempts.at(-1)
  return {
    status,
    ...(bounceType && { bounce: `${bounceType} ${bounceCode}` }),
    host: remote.split(" ")[0],
    tls: tlsPolicy ? `${tlsLevel} by ${tlsPolicy}` : tlsLevel,
  }
}

/** One email to each of so many recipients, 50 by one send. */
async function sendEach(domain: string, count: number): Promise<string[]> {
  const to = Array.from({ length: count }, (_, at) => `r${at}@${domain}`)
  const ids: string[] = []
  for (let at = 0; at < count; at += 50) ids.push(...(await sendMail(sender, { to: to.slice(at, at + 50) })))
  return ids
}

async function statusesOf(ids: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ status: string; count: number }>(
    "SELECT status, count(*)::int FROM deliveries WHERE email_id = ANY ($1) GROUP BY 1",
    [ids],
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

/** The validation of what a name leads to fails, as if somebody had changed the answers. */
function unreadable(name: string): DnsRecord[] {
  return [{ name, type: "CNAME", values: ["tlsa.bogus."] }]
}

/** Nobody answers questions about a name. */
function silenced(name: string): DnsRecord[] {
  return [{ name, type: "CNAME", values: ["nobody.silent."] }]
}

function policyText(mode: string, host: string): string {
  return `version: STSv1\r\nmode: ${mode}\r\nmx: ${host}\r\nmax_age: 86400\r\n`
}

function keyHash({ cert }: Certificate): string {
  const key = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" })
  return createHash("sha256").update(key).digest("hex")
}
