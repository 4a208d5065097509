import { findPolicy, keepPolicy } from "@/lib/delivery/direct/data"
import { createKept } from "@/lib/delivery/direct/kept"
import { parsePolicy, policyIdIn, type StsPolicy } from "@/lib/delivery/direct/sts-policy"
import type { Stub } from "@/lib/platform/dns/stub"
import { log } from "@/lib/platform/log"
import { createReach } from "@/lib/platform/outbound/networks"
import { download } from "@/lib/platform/outbound/request"
import { judgeUrl } from "@/lib/platform/outbound/url"
import type { DirectSettings } from "@/lib/regions/settings"

export type Policies = {
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
export function createPolicies(
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
