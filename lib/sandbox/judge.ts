import type { AuthenticateResult, DKIMResult } from "mailauth"
import type { Verdicts } from "@/lib/sandbox/schema"
import { areaSettings } from "@/lib/platform/env/env"
import { cutText } from "@/lib/platform/format"
import { Resolver } from "node:dns/promises"
import { sandboxZones, type DnsSettings } from "@/lib/regions/io"
import { regionSettings } from "@/lib/regions/settings"

export type ReceivedMessage = { raw: Buffer; mailFrom: string; ip: string; helo: string }

/** How long a receiver waits for DNS. */
const waitMs = 6_000

const infoCharsMax = 2_000
const nameCharsMax = 255

/**
 * What a receiver makes of a mail: DKIM (RFC 6376), SPF (RFC 7208) and DMARC (RFC 9989), judged by mailauth. Never
 * throws.
 */
export async function judgeMessage(
  { raw, mailFrom, ip, helo }: ReceivedMessage,
  resolver: ResolveRecords,
): Promise<Verdicts> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, waitMs, null)))
  try {
    // Takes 20 MB: loaded with the first mail that is judged.
    const { authenticate } = await import("mailauth")
    const asked = authenticate(raw, {
      ip,
      helo,
      sender: mailFrom,
      mta: "sandbox",
      resolver,
      disableArc: true,
      disableBimi: true,
    })
    const result = await Promise.race([asked, late])
    return result ? verdictsOf(result) : unjudged("DNS did not answer in time.")
  } catch (error) {
    return unjudged(error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
  }
}

function verdictsOf({ dkim, spf, dmarc }: AuthenticateResult): Verdicts {
  const signature = bestOf(dkim.results)
  return {
    dkim: {
      result: signature?.status.result ?? "none",
      ...(signature?.signingDomain ? { domain: cutText(signature.signingDomain, nameCharsMax) } : {}),
      ...(signature?.selector ? { selector: cutText(signature.selector, nameCharsMax) } : {}),
      ...info(signature?.info),
    },
    spf: {
      result: spf ? spf.status.result : "none",
      ...(spf && spf.domain ? { domain: cutText(spf.domain, nameCharsMax) } : {}),
      ...info(spf && spf.info),
    },
    dmarc: {
      result: dmarc ? dmarc.status.result : "none",
      ...(dmarc && dmarc.domain ? { domain: cutText(dmarc.domain, nameCharsMax) } : {}),
      ...(dmarc && dmarc.policy ? { policy: dmarc.policy } : {}),
      ...info(dmarc && dmarc.info),
    },
  }
}

/** Of several signatures one that passes speaks for the mail. */
function bestOf(results: readonly DKIMResult[]): DKIMResult | undefined {
  return results.find(({ status }) => status.result === "pass") ?? results[0]
}

function info(text: string | false | undefined): { info?: string } {
  return text ? { info: cutText(text, infoCharsMax) } : {}
}

function unjudged(reason: string): Verdicts {
  const verdict = { result: "temperror", info: cutText(reason, infoCharsMax) }
  return { dkim: verdict, spf: verdict, dmarc: verdict }
}

/** Answers like node:dns: records, or an error whose `code` is ENOTFOUND, ENODATA, ETIMEOUT and so on. */
export type ResolveRecords = (name: string, type: string) => Promise<string[] | string[][]>

const timeoutMs = 1_500
const keptMs = 5_000
const keptMax = 1_000

/** That of this installation's receivers. */
export const receivingDns = areaSettings((_, env) => receiverResolver({ ...env, ...regionSettings() }))

/**
 * The DNS that the sandbox's receiver believes: DNS_SERVERS for everything if set, else the sandbox's own zones at its
 * name server and the rest where this machine asks. Answers are kept for 5 s, as a busy receiver would for their TTL.
 */
export function receiverResolver(settings: DnsSettings): ResolveRecords {
  const zones = settings.dnsServers.length ? [] : sandboxZones(settings)
  const own = resolverAt([{ host: "127.0.0.1", port: settings.sandboxDnsPort }])
  const other = resolverAt(settings.dnsServers)
  const kept = new Map<string, { until: number; answer: Promise<string[] | string[][]> }>()

  return function resolve(name, type) {
    const asked = name.toLowerCase().replace(/\.$/, "")
    const key = `${type} ${asked}`
    const known = kept.get(key)
    if (known && known.until > performance.now()) return known.answer
    const resolver = zones.some((zone) => asked === zone || asked.endsWith(`.${zone}`)) ? own : other
    const answer = resolver.resolve(asked, type) as Promise<string[] | string[][]>
    if (kept.size >= keptMax) kept.clear()
    kept.set(key, { until: performance.now() + keptMs, answer })
    // What is not there now may be there in a moment: only answers are kept.
    answer.catch(() => kept.delete(key))
    return answer
  }
}

function resolverAt(servers: { host: string; port: number }[]): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers.length)
    resolver.setServers(servers.map(({ host, port }) => (host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`)))
  return resolver
}
