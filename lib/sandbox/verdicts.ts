import { Resolver } from "node:dns/promises"
import type { AuthenticateResult, DKIMResult, DMARCResult } from "mailauth"
import { registrableDomain } from "@/lib/addresses/registrable"
import { parseTags } from "@/lib/domains/records/dmarc-record"
import { cutText } from "@/lib/platform/format"
import type { Verdicts } from "@/lib/sandbox/schema"

export type ReceivedMessage = {
  raw: Buffer
  mailFrom: string
  ip: string
  helo: string
  /** The route, the address for reports or the sender's domain: mail of one is not judged at the cost of the others. */
  owner: string
}

/** How long a receiver waits for DNS. */
const waitMs = 6_000

const infoCharsMax = 2_000
const nameCharsMax = 255

/** The verdicts of mailauth, whose time grows with the square of what is odd in a mail. Never throws. */
export async function verdictsOn(
  { raw, mailFrom, ip, helo }: Omit<ReceivedMessage, "owner">,
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
    return result ? verdictsOf(result) : unjudged("temperror", "DNS did not answer in time.")
  } catch (error) {
    return unjudged("temperror", error instanceof Error ? error.message : String(error))
  } finally {
    clearTimeout(timer)
  }
}

function verdictsOf(result: AuthenticateResult): Verdicts {
  const { dkim, spf, dmarc } = result
  const signature = bestOf(dkim.results)
  const isOpen = couldPass(result)
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
      result: isOpen ? "temperror" : dmarc ? dmarc.status.result : "none",
      ...(dmarc && dmarc.domain ? { domain: cutText(dmarc.domain, nameCharsMax) } : {}),
      ...(dmarc && dmarc.policy ? { policy: appliedPolicy(dmarc) } : {}),
      ...info(dmarc && (isOpen ? dmarc.info?.replace(/^dmarc=fail\b/, "dmarc=temperror") : dmarc.info)),
    },
  }
}

/** Whether what DMARC lacks is a lookup that failed for now: mailauth calls that a failure. */
function couldPass({ dkim, spf, dmarc }: AuthenticateResult): boolean {
  if (!dmarc || dmarc.status.result !== "fail") return false
  const isSigned = dkim.results.some(({ status }) => status.result === "temperror" && Boolean(status.aligned))
  const ofSender = spf && spf.status.result === "temperror" ? registrableDomain(spf.domain) : null
  return isSigned || (ofSender !== null && ofSender === registrableDomain(dmarc.domain))
}

/** A domain that tests its policy, by `t=y` (RFC 9989 section 4.7) or `pct=0` before that, asks for the next milder one. */
function appliedPolicy({ policy: published, rr = "" }: Pick<DMARCResult, "policy" | "rr">): string {
  const policy = published.trim().toLowerCase()
  const tags = parseTags(rr)
  const isTested = tags?.get("t")?.toLowerCase() === "y" || tags?.get("pct") === "0"
  if (!isTested) return policy
  return policy === "reject" ? "quarantine" : "none"
}

/** Of several signatures one that passes speaks for the mail. */
function bestOf(results: readonly DKIMResult[]): DKIMResult | undefined {
  return results.find(({ status }) => status.result === "pass") ?? results[0]
}

function info(text: string | false | undefined): { info?: string } {
  return text ? { info: cutText(text, infoCharsMax) } : {}
}

/** Nothing is proven: for now, or whenever this mail is judged. */
export function unjudged(result: "temperror" | "permerror", reason: string): Verdicts {
  const verdict = { result, info: cutText(reason, infoCharsMax) }
  return { dkim: verdict, spf: verdict, dmarc: verdict }
}

// In a process of its own

/** The mail as the reading process takes it: on the first line what came with it and whom to ask for names. */
export function arrivedMail(
  { raw, mailFrom, ip, helo }: Omit<ReceivedMessage, "owner">,
  servers: ReceiverServers,
): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ mailFrom, ip, helo, servers })}\n`), raw])
}

export function judgeArrivedMail(document: Buffer): Promise<Verdicts> {
  const end = document.indexOf("\n")
  const { servers, ...envelope } = JSON.parse(document.toString("utf8", 0, end))
  return verdictsOn({ ...envelope, raw: document.subarray(end + 1) }, resolverAmong(servers))
}

// DNS

/** Answers like node:dns: records, or an error whose `code` is ENOTFOUND, ENODATA, ETIMEOUT and so on. */
export type ResolveRecords = (name: string, type: string) => Promise<string[] | string[][]>

type NameServer = { host: string; port: number }

/** Those of the sandbox for its own zones, and those for the rest: where this machine asks if there are none. */
export type ReceiverServers = { zones: string[]; own: NameServer[]; other: NameServer[] }

const timeoutMs = 1_500
const keptMs = 5_000
const keptMax = 1_000

/** Answers are kept for 5 s, as a busy receiver would for their TTL. */
export function resolverAmong(servers: ReceiverServers): ResolveRecords {
  const own = resolverAt(servers.own)
  const other = resolverAt(servers.other)
  const kept = new Map<string, { until: number; answer: Promise<string[] | string[][]> }>()

  return function resolve(name, type) {
    const asked = name.toLowerCase().replace(/\.$/, "")
    const key = `${type} ${asked}`
    const known = kept.get(key)
    if (known && known.until > performance.now()) return known.answer
    const resolver = servers.zones.some((zone) => asked === zone || asked.endsWith(`.${zone}`)) ? own : other
    const answer = resolver.resolve(asked, type) as Promise<string[] | string[][]>
    if (kept.size >= keptMax) kept.clear()
    kept.set(key, { until: performance.now() + keptMs, answer })
    // What is not there now may be there in a moment: only answers are kept.
    answer.catch(() => kept.delete(key))
    return answer
  }
}

function resolverAt(servers: readonly NameServer[]): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers.length)
    resolver.setServers(servers.map(({ host, port }) => (host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`)))
  return resolver
}
