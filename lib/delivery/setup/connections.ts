import { connect, isIPv6, type NetConnectOpts, type Socket } from "node:net"
import { checkServerIdentity, connect as connectTls } from "node:tls"
import type { ConnectionEnd, Evidence } from "@/lib/delivery/setup/evidence"
import type { SetupCode } from "@/lib/delivery/setup/schema"
import { openTransport } from "@/lib/delivery/transports/transports"
import type { Checked, SetupContext, SetupSubject } from "@/lib/delivery/setup/checks"
import type { Phase } from "@/lib/explanation/codes"
import { dayMs } from "@/lib/platform/time"

const daysLeftMin = 14
const handshakeMs = 5_000
const noAnswer: Evidence = { code: "no_answer", facts: { seconds: handshakeMs / 1_000 } }

/** The public origin is https, with a certificate for two weeks more. */
export async function checkOrigin(context: SetupContext): Promise<Checked> {
  const { origin } = context
  const url = new URL(origin)
  const expected: Evidence[] = [{ code: "https_origin", facts: { days: daysLeftMin } }]
  if (url.protocol !== "https:") return { state: "wrong", code: "not_https", expected, found: [origin] }
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return checkCertificate(context, { host, port: Number(url.port) || 443, expected })
}

/** Programs that hand in email by SMTP find a certificate that they believe, once the operator has set one. */
export async function checkSubmission(context: SetupContext): Promise<Checked> {
  const { isPublic, publicHost: host, tlsPort: port } = context.submission
  const expected: Evidence[] = [{ code: "certificate_for", facts: { host, port, days: daysLeftMin } }]
  const notSet: Evidence = { code: "not_set", facts: { setting: "TLS_CERT" } }
  if (!isPublic) return { state: "waiting", code: "no_certificate", expected, found: [notSet] }
  return checkCertificate(context, { host, port, expected })
}

type Certified = { host: string; port: number; expected: Evidence[] }

async function checkCertificate(
  { dns, roots, reach, now }: SetupContext,
  { host, port, expected }: Certified,
): Promise<Checked> {
  const addresses = await dns.addresses(host)
  if (addresses.kind === "error")
    return { state: "unknown", code: "lookup_failed", expected, found: [addresses.reason] }
  if (addresses.kind === "missing") {
    const record: Evidence = { code: "server_address", facts: { host } }
    return { state: "wrong", code: "missing", expected: [record, ...expected], found: [] }
  }
  const address = addresses.values.find((one) => reach(one) !== "refused")
  if (address === undefined) return { state: "unknown", code: "private_address", expected, found: addresses.values }
  const seen = await certificateAt(address, port, host, roots)
  if ("fault" in seen) return { state: "wrong", code: "unreachable", expected, found: [seen.fault] }
  const days = Math.floor((seen.validTo.getTime() - now.getTime()) / dayMs)
  const date = seen.validTo.toISOString().slice(0, 10)
  const found: Evidence[] = [{ code: "certificate_until", facts: { date, days } }]
  if (seen.validTo <= now) return { state: "wrong", code: "certificate_expired", expected, found }
  if (seen.isOther) {
    found.push({ code: "certificate_names", facts: { names: seen.names } })
    return { state: "wrong", code: "certificate_other_name", expected, found }
  }
  if (seen.untrusted !== null)
    return { state: "wrong", code: "certificate_untrusted", expected, found: [...found, seen.untrusted] }
  return days < daysLeftMin
    ? { state: "wrong", code: "certificate_ending", expected, found }
    : { state: "ok", expected, found }
}

/** `names` are those that it is for; `isOther` where the host is none of them. */
type SeenCertificate =
  | { validTo: Date; names?: string; isOther: boolean; untrusted: string | null }
  | { fault: Evidence }

function certificateAt(
  address: string,
  port: number,
  host: string,
  ca: string[] | undefined,
): Promise<SeenCertificate> {
  return new Promise((resolve) => {
    // Judged afterwards: of one that is not valid, the page says why.
    const socket = connectTls({ host: address, port, servername: host, ca, rejectUnauthorized: false })
    const timer = setTimeout(() => finish({ fault: noAnswer }), handshakeMs)
    const finish = (seen: SeenCertificate) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(seen)
    }
    socket.on("error", ({ message }) => finish({ fault: message }))
    socket.on("secureConnect", () => {
      const certificate = socket.getPeerCertificate()
      finish({
        validTo: new Date(certificate.valid_to),
        names: certificate.subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, ""),
        isOther: checkServerIdentity(host, certificate) !== undefined,
        untrusted: socket.authorized ? null : String(socket.authorizationError),
      })
    })
  })
}

/** Steps of a session with a relay in a check, for which an operator waits. */
const relayLimits = {
  connectTimeoutMs: 5_000,
  greetingTimeoutMs: 5_000,
  commandTimeoutMs: 5_000,
}
const relayMs = 8_000

/** What a session that failed in this phase says about a relay. */
const relayCodes: Partial<Record<Phase, SetupCode>> = { starttls: "tls_failed", auth: "sign_in_refused" }

/** The relay of a region opens a session and takes the user and password of SMTP_URL. */
export async function checkRelay({ now }: SetupContext, { region }: SetupSubject): Promise<Checked> {
  if (region?.profile.transport !== "smtp") throw new TypeError("A row about a relay is of a region that has one.")
  const { host, port, user } = region.profile.smtp
  const expected: Evidence[] = [{ code: "relay_session", facts: { host, port, ...(user !== undefined && { user }) } }]
  const transport = openTransport(region.profile, relayLimits)
  try {
    const failed = await transport.probe(AbortSignal.timeout(relayMs))
    if (!failed) return { state: "ok", expected, found: [{ code: "session_at", facts: { at: now.toISOString() } }] }
    const found = [`${failed.phase ?? "connect"}: ${[failed.code, failed.text].filter(Boolean).join(" ")}`]
    return { state: "wrong", code: relayCodes[failed.phase ?? "connect"] ?? "unreachable", expected, found }
  } finally {
    await transport.close()
  }
}

/** Whether mail servers elsewhere can be connected to, from each address of the region. */
export async function checkOutbound(context: SetupContext, { region }: SetupSubject): Promise<Checked> {
  const { dns, outbound, reach } = context
  const expected: Evidence[] = [{ code: "outbound_port", facts: { port: outbound.port } }]
  const targets = await Promise.all(
    outbound.domains.map(async (domain) => {
      const host = await firstHost(dns, domain)
      return { domain, host, addresses: host === null ? [] : valuesOf(await dns.addresses(host)) }
    }),
  )
  const dialled = targets.flatMap(({ host, addresses }) => {
    const address = addresses.find((one) => !isIPv6(one) && reach(one) !== "refused")
    return host === null || address === undefined ? [] : [{ host, address }]
  })
  if (dialled.length === 0) {
    const code = targets.some(({ addresses }) => addresses.length > 0) ? "private_address" : "lookup_failed"
    const found = targets.map(({ domain, host, addresses }): Evidence =>
      host === null
        ? { code: "no_mail_server", facts: { domain } }
        : { code: "addresses_of", facts: { host, addresses } },
    )
    return { state: "unknown", code, expected, found }
  }
  const sources = region?.sources.filter(({ address }) => address !== "" && !isIPv6(address)) ?? []
  const own = sources.map(({ address }) => address)
  const tried = await Promise.all(
    (own.length > 0 ? own : [undefined]).map((from) =>
      Promise.all(
        dialled.map(async ({ host, address }) => {
          const options = { host: address, port: outbound.port, localAddress: from }
          return { ...(from && { from }), host, end: await endOfConnection(options, outbound.timeoutMs) }
        }),
      ),
    ),
  )
  const found = tried.flat().map((facts): Evidence => ({ code: "connection", facts }))
  return tried.every((ended) => ended.some(({ end }) => end === "connected"))
    ? { state: "ok", expected, found }
    : { state: "wrong", code: "blocked", expected, found }
}

async function firstHost(dns: SetupContext["dns"], domain: string): Promise<string | null> {
  const answer = await dns.mx(domain)
  if (answer.kind !== "found") return null
  return answer.values.toSorted((one, other) => one.priority - other.priority)[0]?.exchange || null
}

function valuesOf(answer: { kind: string; values?: string[] }): string[] {
  return answer.values ?? []
}

/** Connected once the other side has greeted: a firewall in between may take the connection itself. */
function endOfConnection(options: NetConnectOpts, timeoutMs: number): Promise<ConnectionEnd> {
  return new Promise((resolve) => {
    const socket: Socket = connect(options)
    const timer = setTimeout(() => finish({ silentSeconds: timeoutMs / 1_000 }), timeoutMs)
    const finish = (end: ConnectionEnd) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(end)
    }
    socket.on("error", ({ message }) => finish({ fault: message })).on("close", () => finish("closed"))
    socket.on("data", () => finish("connected"))
  })
}
