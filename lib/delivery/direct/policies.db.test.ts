import { createServer, type Server } from "node:https"
import { createSecureContext, type SecureContext } from "node:tls"
import type { AddressInfo } from "node:net"
import { createHash, X509Certificate } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createAuthority } from "@/e2e/support/delivery/authority"
import { selfSignedCertificate } from "@/e2e/support/delivery/certificate"
import { type MailLab, startMailLab } from "@/e2e/support/delivery/mail-lab"
import {
  attemptRows,
  deliverDue,
  deliveryRows,
  newSending,
  passWait,
  type Sending,
  sendMail,
} from "@/e2e/support/delivery/sending"
import { api } from "@/e2e/support/world"
import { encodeId } from "@/lib/platform/ids"
import { countTls } from "@/lib/delivery/direct/data"
import { createDirectTransport } from "@/lib/delivery/direct/transport"
import { removeWorker } from "@/lib/delivery/regions/data"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { pool } from "@/lib/platform/database/db"
import { env, provideEnv } from "@/lib/platform/env/env"
import type { Certificate } from "@/lib/platform/smtp-server/certificate"
import { regionSettings } from "@/lib/regions/settings"

// What recipients' domains demand of a connection is kept under attack, or the mail waits (RFC 7672, RFC 8461).

const authority = createAuthority()
/** Of one send, who get an email of their own. */
const recipients = 20

let lab: MailLab
let sender: Sending
let relays: Relays
let policyHost: Server
/** Policy hosts that nobody has certified. */
const untrusted = new Set<string>()
/** What the policy hosts answer, by domain. */
const policies = new Map<string, { status?: number; type?: string; body: string }>()

beforeAll(async () => {
  lab = await startMailLab()
  const contexts = new Map<string, SecureContext>()
  const contextOf = (name: string) => {
    const made =
      contexts.get(name) ?? createSecureContext(untrusted.has(name) ? selfSignedCertificate() : authority.issue([name]))
    contexts.set(name, made)
    return made
  }
  policyHost = createServer({ SNICallback: (name, done) => done(null, contextOf(name)) }, (request, response) => {
    const host = (request.headers.host ?? "").split(":")[0] ?? ""
    const found = policies.get(host.replace(/^mta-sts\./, ""))
    response
      .writeHead(found ? (found.status ?? 200) : 404, { "content-type": found?.type ?? "text/plain" })
      .end(found?.body)
  })
  await new Promise<void>((resolve) => policyHost.listen(0, "127.0.0.20", resolve))
  provideEnv({ ...lab.variables, STS_PORT: String((policyHost.address() as AddressInfo).port) })
  sender = await newSending()
})

beforeEach(restart)

afterAll(async () => {
  policyHost.close()
  await lab.close()
})

describe("DANE", () => {
  it("delivers where the server's key is the one that the domain names, whatever else its certificate says", async () => {
    const { server, certificate } = await signedDomain("match.dane", "127.0.1.1", selfSignedCertificate())
    tlsa("match.dane", [3, 1, 1, spkiHash(certificate)])
    expect(await sendTo("match.dane")).toMatchObject([{ outcome: "accepted", tls_level: "dane", tls_policy: "dane" }])
    expect(server.taken).toEqual([expect.objectContaining({ tls: true })])
  })

  it("delivers below the authority that the domain names, and to no other name", async () => {
    const anchor = createHash("sha256").update(new X509Certificate(authority.certificate).raw).digest()
    await signedDomain("anchor.dane", "127.0.1.2", authority.issue(["mx.anchor.dane"]))
    tlsa("anchor.dane", [2, 0, 1, anchor])
    await signedDomain("othername.dane", "127.0.1.3", authority.issue(["mx.elsewhere.dane"]))
    tlsa("othername.dane", [2, 0, 1, anchor])
    expect(await sendTo("anchor.dane")).toMatchObject([{ outcome: "accepted", tls_level: "dane" }])
    expect(await sendTo("othername.dane")).toMatchObject([
      { outcome: "deferred", phase: "starttls", text: expect.stringContaining("is not for mx.othername.dane") },
    ])
  })

  it("demands encryption alone where no record can be used", async () => {
    await signedDomain("unusable.dane", "127.0.1.4", selfSignedCertificate())
    tlsa("unusable.dane", [1, 1, 1, Buffer.alloc(32)])
    expect(await sendTo("unusable.dane")).toMatchObject([
      { outcome: "accepted", tls_level: "encrypted", tls_policy: "dane" },
    ])
  })

  it("means nothing where DNSSEC does not secure the way to the record", async () => {
    lab.domain("unsigned.example", [["mx.unsigned.example", 10, "127.0.1.5"]])
    await lab.server("127.0.1.5", { certificate: selfSignedCertificate() })
    tlsa("unsigned.example", [3, 1, 1, Buffer.alloc(32)])
    expect(await sendTo("unsigned.example")).toMatchObject([
      { outcome: "accepted", tls_level: "encrypted", tls_policy: null },
    ])
  })

  it("goes on to the next server where one does not match", async () => {
    const other = selfSignedCertificate()
    lab.dns.sign("second.dane")
    lab.domain("second.dane", [
      ["mx.second.dane", 10, "127.0.1.6"],
      ["mx2.second.dane", 20, "127.0.1.7"],
    ])
    await lab.server("127.0.1.6", { certificate: selfSignedCertificate() })
    await lab.server("127.0.1.7", { certificate: other })
    tlsa("second.dane", [3, 1, 1, Buffer.alloc(32)])
    lab.dns.answer("_25._tcp.mx2.second.dane", "TLSA", [record([3, 1, 1, spkiHash(other)])])
    expect(await sendTo("second.dane")).toMatchObject([
      { outcome: "accepted", tls_level: "dane", remote: expect.stringMatching(/^mx2\.second\.dane /) },
    ])
  })
})

describe("MTA-STS", () => {
  it("delivers by a policy to a server that it names, with a valid certificate", async () => {
    await policyDomain("valid.sts.example", "127.0.2.1", authority.issue(["mx.valid.sts.example"]))
    expect(await sendTo("valid.sts.example")).toMatchObject([
      { outcome: "accepted", tls_level: "valid", tls_policy: "mta-sts" },
    ])
  })

  it("delivers in spite of a policy that only tests", async () => {
    await policyDomain("testing.sts.example", "127.0.2.2", selfSignedCertificate(), "testing")
    expect(await sendTo("testing.sts.example")).toMatchObject([
      { outcome: "accepted", tls_level: "encrypted", tls_policy: null },
    ])
  })

  it.each([
    ["a redirect", { status: 302, body: "" }],
    ["another type", { type: "text/html", body: "" }],
    ["megabytes", { body: "x".repeat(2_000_000) }],
    ["a policy for every host", { body: "version: STSv1\nmode: enforce\nmx: *\nmax_age: 86400\n" }],
  ])("T104: takes %s for no policy", async (name, answer) => {
    const domain = `${name.split(" ").at(-1)}.sts.example`
    const { server } = await policyDomain(domain, `127.0.2.${10 + name.length}`, selfSignedCertificate())
    policies.set(domain, { ...answer, body: answer.body || policy("enforce", [`mx.${domain}`]) })
    expect(await sendTo(domain)).toMatchObject([{ outcome: "accepted", tls_level: "encrypted", tls_policy: null }])
    expect(server.taken).toHaveLength(1)
  })

  it("T104: takes a policy from no host that is not public", async () => {
    const domain = "inside.sts.example"
    await policyDomain(domain, "127.0.2.5", selfSignedCertificate())
    lab.dns.answer(`mta-sts.${domain}`, "A", ["10.0.0.1"])
    expect(await sendTo(domain)).toMatchObject([{ outcome: "accepted", tls_level: "encrypted", tls_policy: null }])
  })

  it("takes a policy from no host without a valid certificate", async () => {
    const domain = "untrusted.sts.example"
    untrusted.add(`mta-sts.${domain}`)
    await policyDomain(domain, "127.0.2.7", selfSignedCertificate())
    expect(await sendTo(domain)).toMatchObject([{ outcome: "accepted", tls_level: "encrypted", tls_policy: null }])
  })

  it("keeps a policy for as long as it says, fetches it again when its id changes, and keeps the old one where that fails", async () => {
    const domain = "changing.sts.example"
    await policyDomain(domain, "127.0.2.6", authority.issue([`mx.${domain}`]))
    await sendTo(domain)
    policies.set(domain, { status: 500, body: "" })
    lab.dns.answer(`_mta-sts.${domain}`, "TXT", ["v=STSv1; id=2"])
    restart()
    expect(await sendTo(domain)).toMatchObject([{ tls_policy: "mta-sts" }])
    policies.set(domain, { body: policy("none", []) })
    restart()
    expect(await sendTo(domain)).toMatchObject([{ outcome: "accepted", tls_policy: null }])
    const { rows } = await pool().query("SELECT * FROM mta_sts_policies WHERE domain = $1", [domain])
    expect(rows).toMatchObject([{ policy_id: "2", mode: "none", max_age: 86_400 }])
  })
})

describe("an email or a project that demands encryption", () => {
  it("waits at a server that does not do that, and is delivered at one that does", async () => {
    const plain = await lab.server("127.0.4.1")
    const encrypted = await lab.server("127.0.4.2", { certificate: selfSignedCertificate() })
    const valid = await lab.server("127.0.4.3", { certificate: authority.issue(["mx.valid.example"]) })
    lab.domain("plain.example", [["mx.plain.example", 10, "127.0.4.1"]])
    lab.domain("encrypted.example", [["mx.encrypted.example", 10, "127.0.4.2"]])
    lab.domain("valid.example", [["mx.valid.example", 10, "127.0.4.3"]])
    const outcomes = async (tls: string) => {
      const all = []
      for (const domain of ["plain.example", "encrypted.example", "valid.example"]) {
        const [attempt] = await sendTo(domain, { tls })
        all.push(`${attempt.outcome} ${attempt.tls_level} ${attempt.tls_policy}`)
      }
      return all
    }
    expect(await outcomes("opportunistic")).toEqual([
      "accepted none null",
      "accepted encrypted null",
      "accepted encrypted null",
    ])
    expect(await outcomes("required")).toEqual([
      "deferred none sender",
      "accepted encrypted sender",
      "accepted encrypted sender",
    ])
    expect(await outcomes("verified")).toEqual([
      "deferred none sender",
      "deferred none sender",
      "accepted valid sender",
    ])
    expect(plain.taken).toHaveLength(1)
    expect(encrypted.taken).toHaveLength(2)
    expect(valid.taken).toHaveLength(3)
  })

  it("takes a certificate that DANE names for verified, and the project's setting where the email says nothing", async () => {
    const by = await newSending()
    const { certificate } = await signedDomain("verified.dane", "127.0.4.4", selfSignedCertificate())
    tlsa("verified.dane", [3, 1, 1, spkiHash(certificate)])
    lab.domain("setting.example", [["mx.setting.example", 10, "127.0.4.4"]])
    const { status, json } = await api("PATCH /v1/projects/{projectId}", {
      key: by.apiKey,
      params: { projectId: encodeId("proj", by.projectId) },
      body: { tls: "verified" },
    })
    expect({ status, tls: json.tls }).toEqual({ status: 200, tls: "verified" })
    expect(await sendTo("verified.dane", { by })).toMatchObject([
      { outcome: "accepted", tls_level: "dane", tls_policy: "dane" },
    ])
    expect(await sendTo("setting.example", { by })).toMatchObject([{ outcome: "deferred", tls_policy: "sender" }])
    expect(await sendTo("setting.example", { by, tls: "opportunistic" })).toMatchObject([{ outcome: "accepted" }])
  })
})

it("sends nothing to a forged MX in spite of MTA-STS, and all to the right one once that is repaired", async () => {
  const domain = "forged-mx.sts.example"
  const { server } = await policyDomain(domain, "127.0.3.2", authority.issue([`mx.${domain}`]))
  lab.domain(domain, [["mx.attacker.example", 10, "127.0.3.2"]])
  const ids = await sendMail(sender, { to: Array.from({ length: recipients }, (_, at) => `r${at}@${domain}`) })
  await deliverDue(relays)
  expect(await statusesOf(ids)).toEqual(["sending"])
  expect(server.mails).toEqual([])

  lab.domain(domain, [[`mx.${domain}`, 10, "127.0.3.2"]])
  await removeWorker(relays.paths)
  restart()
  for (const id of ids) await passWait(id)
  await deliverDue(relays)
  expect(await statusesOf(ids)).toEqual(["delivered"])
})

it("counts how sessions ended as reports to the recipients' domains name it, and stores from where", async () => {
  const certificate = selfSignedCertificate()
  const valid = "counted.sts.example"
  const tested = "tested.sts.example"
  const unreadable = "unread.sts.example"
  await policyDomain(valid, "127.0.5.1", authority.issue([`mx.${valid}`]))
  await policyDomain(tested, "127.0.5.2", certificate, "testing")
  await policyDomain(unreadable, "127.0.5.3", certificate)
  policies.set(unreadable, { status: 500, body: "" })
  await signedDomain("counted.dane", "127.0.5.4", certificate)
  tlsa("counted.dane", [3, 1, 1, Buffer.alloc(32)])
  lab.domain("counted.example", [["mx.counted.example", 10, "127.0.5.5"]])
  await lab.server("127.0.5.5")
  for (const domain of [valid, valid, tested, unreadable, "counted.dane"]) await sendTo(domain)
  const [{ source, ehlo_name }] = await sendTo("counted.example")
  expect({ source, ehlo_name }).toEqual({
    source: expect.stringMatching(/^127\./),
    ehlo_name: `out.eu-west-1.${env().serviceDomain}`,
  })
  await relays.close()
  const { rows } = await pool().query(
    `SELECT domain, policy_type, policy, host, result, sessions FROM tls_results
      WHERE domain = ANY ($1) AND day = (now() AT TIME ZONE 'UTC')::date ORDER BY domain`,
    [[valid, tested, unreadable, "counted.dane", "counted.example"]],
  )
  const lines = (mode: string, domain: string) => {
    return ["version: STSv1", `mode: ${mode}`, `mx: mx.${domain}`, "max_age: 86400"]
  }
  const counted = (domain: string, policy_type: string, policy: string[], result: string, sessions = 1) => {
    return { domain, policy_type, policy, host: `mx.${domain}`, result, sessions }
  }
  expect(rows).toEqual([
    counted("counted.dane", "tlsa", [`3 1 1 ${"00".repeat(32)}`], "validation-failure"),
    counted("counted.example", "no-policy-found", [], "starttls-not-supported"),
    counted(valid, "sts", lines("enforce", valid), "success", 2),
    counted(tested, "sts", lines("testing", tested), "certificate-not-trusted"),
    counted(unreadable, "sts", [], "sts-policy-fetch-error"),
  ])
})

/** Workers that have just started: they remember nothing but what is stored. */
function restart(): void {
  relays = createRelays((profile) => {
    if (profile.transport !== "direct") throw new Error("All regions are direct here.")
    return createDirectTransport({
      ...profile,
      ...regionSettings().direct,
      countTls,
      serviceDomain: env().serviceDomain,
      ca: authority.certificate,
    })
  })
}

/** The attempts of an email to one recipient of the domain. */
async function sendTo(domain: string, { tls, by = sender }: { tls?: string; by?: Sending } = {}) {
  const [id = ""] = await sendMail(by, { to: [`ada@${domain}`], ...(tls && { tls }) })
  await deliverDue(relays)
  return attemptRows(id)
}

/** The different ones. */
async function statusesOf(ids: readonly string[]): Promise<string[]> {
  const rows = await Promise.all(ids.map(deliveryRows))
  return [...new Set(rows.flat().map(({ status }) => status))]
}

/** A domain whose records DNSSEC secures, with one server. */
async function signedDomain<C extends Certificate | undefined>(domain: string, address: string, certificate: C) {
  lab.dns.sign(domain)
  lab.domain(domain, [[`mx.${domain}`, 10, address]])
  return { server: await lab.server(address, certificate && { certificate }), certificate }
}

/** A domain with a policy, and one server that it names. */
async function policyDomain(domain: string, address: string, certificate: Certificate, mode = "enforce") {
  lab.domain(domain, [[`mx.${domain}`, 10, address]])
  lab.dns.answer(`_mta-sts.${domain}`, "TXT", ["v=STSv1; id=1"])
  lab.dns.answer(`mta-sts.${domain}`, "A", ["127.0.0.20"])
  policies.set(domain, { body: policy(mode, [`mx.${domain}`]) })
  return { server: await lab.server(address, { certificate }) }
}

function policy(mode: string, hosts: readonly string[]): string {
  return `version: STSv1\r\nmode: ${mode}\r\n${hosts.map((host) => `mx: ${host}\r\n`).join("")}max_age: 86400\r\n`
}

type Record = [usage: number, selector: number, matchingType: number, certificate: Buffer]

function tlsa(domain: string, ...records: Record[]): void {
  lab.dns.answer(`_25._tcp.mx.${domain}`, "TLSA", records.map(record))
}

function record([usage, selector, matchingType, certificate]: Record) {
  return { usage, selector, matchingType, certificate }
}

function spkiHash({ cert }: Certificate): Buffer {
  const key = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" })
  return createHash("sha256").update(key).digest()
}
