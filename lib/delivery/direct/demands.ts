import {
  daneDemand,
  allowsHost,
  policyLines,
  type StsPolicy,
  parsePolicy,
  policyIdIn,
} from "@/lib/delivery/direct/tls-policies"
import type { Demand, Server } from "@/lib/delivery/direct/hosts"
import { createKept } from "@/lib/delivery/direct/route"
import { noPolicy, type ReportedPolicy, type TlsDoubt } from "@/lib/delivery/direct/tls-results"
import type { Clock } from "@/lib/platform/time"
import type { TlsDemand } from "@/lib/emails/message-rules"
import type { Stub, StubOutcome, Tlsa } from "@/lib/platform/dns/stub"
import { findPolicy, keepPolicy } from "@/lib/delivery/direct/data"
import { log } from "@/lib/platform/log"
import { createReach } from "@/lib/platform/networks"
import { download } from "@/lib/platform/outbound/request"
import { judgeUrl } from "@/lib/platform/outbound/target"
import type { DirectSettings } from "@/lib/regions/settings"

/** What is known of the domain whose mail is sent. */
type DemandOf = { domain: string; isRouteSecure: boolean; isEncrypted: boolean; tls: TlsDemand }

type Demands = {
  /** What a connection to the server has to be, or why no mail may go there now. */
  of(about: DemandOf, server: Server): Promise<Demand | DemandRefusal>
}

type DemandRefusal = TlsDoubt & { refusal: string; reported: ReportedPolicy }

type DemandsOptions = {
  stub: Stub
  fetchPolicy: (domain: string) => Promise<StsPolicy | null>
  clock: Clock
  now: () => number
}

const tlsaSeconds = { least: 60, most: 3_600 }

const encrypted = { level: "encrypted", verify: () => null } as const

/** DANE before MTA-STS (RFC 8461 section 2), and a policy before what is known of a provider. */
export function createDemands({ stub, fetchPolicy, clock, now }: DemandsOptions): Demands {
  const policies = createPolicies(stub, fetchPolicy, now)
  const records = createKept<StubOutcome<Tlsa>>(now)

  async function tlsaOf(name: string): Promise<StubOutcome<Tlsa>> {
    return records.get(name, async () => {
      const value = await stub.ask("TLSA", `_25._tcp.${name}`)
      const ttl = value.kind === "error" ? 0 : value.ttlSeconds
      return { value, seconds: Math.min(tlsaSeconds.most, Math.max(tlsaSeconds.least, ttl)) }
    })
  }

  /** RFC 7672 section 2.2.3: at the name that the host is an alias of, else at the host. */
  async function daneOf(
    { domain, isRouteSecure }: DemandOf,
    { host, name, isSecure }: Server,
  ): Promise<Demand | DemandRefusal | null> {
    if (!isRouteSecure || !isSecure) return null
    for (const base of new Set([name, host])) {
      const answer = await tlsaOf(base)
      if (answer.kind === "error") {
        const refusal = `The TLSA records (DANE) of ${base} could not be looked up.`
        return { refusal, reported: { type: "tlsa", lines: [] }, result: "dnssec-invalid" }
      }
      if (answer.kind === "found" && answer.secure)
        return daneDemand(answer.values, [...new Set([base, host, domain])], () => clock.now())
    }
    return null
  }

  return {
    async of(about, server) {
      const dane = await daneOf(about, server)
      // Records of which none can be used prove nothing.
      if (dane && ("refusal" in dane || dane.level === "dane")) return dane
      const policy = await policies.of(about.domain)
      const ofPolicy = reportsOf(policy, server.host)
      if (policy !== "unavailable" && policy?.mode === "enforce") {
        if (allowsHost(policy, server.host)) return { level: "valid", policy: "mta-sts", reported: ofPolicy.reported }
        const refusal = `The policy of ${about.domain} (MTA-STS) does not name the mail server ${server.host}.`
        return { refusal, reported: ofPolicy.reported, result: "validation-failure" }
      }
      if (about.tls === "verified") return { level: "valid", policy: "sender", ...ofPolicy }
      if (dane) return dane
      if (about.tls === "required") return { ...encrypted, policy: "sender", ...ofPolicy }
      return about.isEncrypted ? { ...encrypted, policy: "provider", ...ofPolicy } : { level: "none", ...ofPolicy }
    },
  }
}

/** What reports say of a policy of MTA-STS that nothing depends on: one that is tested, or cannot be read. */
function reportsOf(
  policy: StsPolicy | "unavailable" | null,
  host: string,
): Pick<Demand, "isTesting" | "doubt"> & { reported: ReportedPolicy } {
  if (policy === "unavailable")
    return { reported: { type: "sts", lines: [] }, doubt: { result: "sts-policy-fetch-error" } }
  if (policy === null || policy.mode === "none") return { reported: noPolicy }
  const reported: ReportedPolicy = { type: "sts", lines: policyLines(policy) }
  if (policy.mode === "enforce") return { reported }
  return { reported, isTesting: true, ...(!allowsHost(policy, host) && { doubt: { result: "validation-failure" } }) }
}

type Policies = {
  /** The policy that applies to mail for a domain now; null if there is none, `unavailable` where it announces one that cannot be read. */
  of(domain: string): Promise<StsPolicy | "unavailable" | null>
}

const checkSeconds = 300
/** After a policy could not be fetched. */
const failedSeconds = 3_600

/**
 * Looks up and keeps policies. One that is kept applies until it expires, whatever DNS says: who can suppress answers could
 * otherwise turn it off (RFC 8461 section 10.2).
 */
function createPolicies(
  stub: Stub,
  fetchPolicy: (domain: string) => Promise<StsPolicy | null>,
  now: () => number,
): Policies {
  const known = createKept<StsPolicy | "unavailable" | null>(now)

  async function find(domain: string) {
    const [record, kept] = await Promise.all([stub.ask("TXT", `_mta-sts.${domain}`), findPolicy(domain)])
    const policyId = policyIdIn(record)
    const live = kept?.isLive ? kept : undefined
    const isChanged = policyId !== undefined && policyId !== live?.policyId
    if (live ? !isChanged && !live.isDue : !policyId) return { value: live?.policy ?? null, seconds: checkSeconds }
    const fetched = await fetchPolicy(domain)
    if (!fetched) return { value: live?.policy ?? ("unavailable" as const), seconds: failedSeconds }
    await keepPolicy(domain, policyId ?? live?.policyId ?? "", fetched)
    return { value: fetched, seconds: checkSeconds }
  }

  return { of: (domain) => known.get(domain, () => find(domain)) }
}

const fetchMs = 5_000
const policyBytesMax = 64 * 1024

type FetchOptions = Pick<DirectSettings, "networks" | "policyPort"> & { stub: Stub; ca?: string | Buffer | undefined }

/**
 * Fetches the policy of a domain (RFC 8461 section 3.3): by https with a certificate of a known authority, without following
 * redirects, from a public address. Null where there is no valid one. Never throws.
 */
export function createPolicyFetch({ networks, policyPort, stub, ca }: FetchOptions) {
  const guard = { reach: createReach(networks), allowsPrivate: networks.length > 0 }

  return async (domain: string): Promise<StsPolicy | null> => {
    const port = policyPort === 443 ? "" : `:${policyPort}`
    const target = judgeUrl(`https://mta-sts.${domain}${port}/.well-known/mta-sts.txt`, guard)
    if (!target.ok) return null
    try {
      const { status, contentType, body } = await download({
        target,
        guard,
        resolve,
        timeoutMs: fetchMs,
        signal: AbortSignal.timeout(fetchMs),
        bytesMax: policyBytesMax,
        headers: { accept: "text/plain" },
        ca,
      })
      const isText = /^text\/plain\s*(?:;|$)/i.test(contentType ?? "")
      return status === 200 && isText && body ? parsePolicy(body.toString("utf8")) : null
    } catch (error) {
      log.debug({ err: error, domain }, "the MTA-STS policy of a domain could not be fetched")
      return null
    }
  }

  async function resolve(name: string): Promise<string[]> {
    const [v4, v6] = await Promise.all([stub.ask("A", name), stub.ask("AAAA", name)])
    return [v4, v6].flatMap((answer) => (answer.kind === "found" ? answer.values : []))
  }
}
