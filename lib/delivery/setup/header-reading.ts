import { registrableDomain } from "@/lib/addresses/registrable"
import {
  type AuthenticationResults,
  authenticationResults,
  type MethodResult,
  receivedSpf,
  tagsOf,
} from "@/lib/delivery/setup/authentication-results"
import { headerOf, type MimeHeader } from "@/lib/platform/mime/mime-parts"
import { type HeaderReading, type HeaderReadingCode, headerTextMax } from "@/lib/delivery/setup/header-schema"

const listedMax = 50

/**
 * What the header of a received email says of its authentication and its way, and the first thing that is to be changed. Takes any
 * text, such as a whole message.
 */
export function readHeaders(text: string): HeaderReading {
  const header = headerIn(text.slice(0, headerTextMax).replaceAll(/\r\n?/g, "\n"))
  const { server, results } = ownResults(header)
  const signatures = header.all("dkim-signature").slice(0, listedMax).map(tagsOf)
  const from = domainOf(header.get("from"))
  const seen = { results, signatures: signatures.length, from, forwarded: forwardedBy(header) }
  return {
    code: codeOf(header, seen),
    ...(server !== undefined && { server }),
    ...(from !== undefined && { from }),
    results: results.slice(0, listedMax).map((one) => shownResult(one, from)),
    signatures: signatures.map((tags) => ({ domain: tags.get("d") ?? "", selector: tags.get("s") ?? "" })),
    hops: hopsOf(header),
  }
}

/** Up to the first empty line, unless what was pasted has empty lines between its fields. */
function headerIn(text: string): MimeHeader {
  const [first = ""] = text.trimStart().split("\n\n", 1)
  const header = headerOf(first)
  return header.has("received") || header.has("authentication-results") ? header : headerOf(text)
}

/** What the last server says: its field comes first, and those of others below it prove nothing. */
function ownResults(header: MimeHeader): AuthenticationResults {
  const all = header.all("authentication-results").slice(0, listedMax).map(authenticationResults)
  const server = all[0]?.server
  const results = all.filter((one) => one.server === server).flatMap((one) => one.results)
  const hasSpf = results.some(({ method }) => method === "spf")
  const spf = hasSpf ? null : receivedSpf(header.get("received-spf"))
  return { ...(server !== undefined && { server }), results: spf ? [...results, spf] : results }
}

/** Whether a server that forwarded the email says that it was in order when it came there (RFC 8617). */
function forwardedBy(header: MimeHeader): boolean {
  return header
    .all("arc-authentication-results")
    .slice(0, listedMax)
    .some((value) => {
      const { results } = authenticationResults(value.replace(/^\s*i\s*=\s*\d+\s*;/, ""))
      return (
        header.all("arc-seal").length > 1 &&
        results.some(({ method, result }) => method === "dmarc" && result === "pass")
      )
    })
}

type Seen = { results: readonly MethodResult[]; signatures: number; from: string | undefined; forwarded: boolean }

/** The first thing that is to be changed: without a valid signature, or without SPF, nothing behind it can be judged. */
function codeOf(header: MimeHeader, { results, signatures, from, forwarded }: Seen): HeaderReadingCode {
  if (header.size === 0 || !header.has("from")) return "no_headers"
  if (results.length === 0) return "no_verdict"
  const of = (method: string) => results.filter((one) => one.method === method)
  const [dkim, spf, dmarc] = [of("dkim"), of("spf"), of("dmarc")]
  const fault = dkimFault(dkim, { signatures, from }) ?? faultIn(spf, spfFaults) ?? faultIn(dmarc, dmarcFaults)
  if (fault === null) return "passes"
  return forwarded ? "forwarded" : fault
}

function dkimFault(
  results: readonly MethodResult[],
  { signatures, from }: Pick<Seen, "signatures" | "from">,
): HeaderReadingCode | null {
  const passed = results.filter(({ result }) => result === "pass")
  if (passed.some((one) => isAligned(one, from))) return null
  if (signatures === 0) return "dkim_missing"
  const [other] = results.filter(({ result }) => result !== "pass")
  if (passed.length > 0 && other === undefined) return "dkim_other_domain"
  if (other === undefined) return null
  if (/body hash/i.test(other.reason ?? "")) return "dkim_changed"
  if (/no key|key (?:not found|syntax)|invalid (?:public )?key|revoked/i.test(other.reason ?? "")) return "dkim_key"
  return dkimFaults[other.result] ?? null
}

const dkimFaults: Record<string, HeaderReadingCode | undefined> = {
  none: "dkim_missing",
  fail: "dkim_failed",
  policy: "dkim_failed",
  neutral: "dkim_key",
  permerror: "dkim_key",
  temperror: "dns_failed",
}

const spfFaults: Record<string, HeaderReadingCode | undefined> = {
  fail: "spf_not_allowed",
  softfail: "spf_not_allowed",
  hardfail: "spf_not_allowed",
  neutral: "spf_not_allowed",
  none: "spf_missing",
  permerror: "spf_invalid",
  temperror: "dns_failed",
}

const dmarcFaults: Record<string, HeaderReadingCode | undefined> = {
  fail: "dmarc_not_aligned",
  none: "dmarc_missing",
  bestguesspass: "dmarc_missing",
  permerror: "dmarc_invalid",
  temperror: "dns_failed",
}

function faultIn(
  results: readonly MethodResult[],
  faults: Readonly<Record<string, HeaderReadingCode | undefined>>,
): HeaderReadingCode | null {
  // A server may judge the domain of the greeting as well: one that passes is enough.
  if (results.some(({ result }) => result === "pass")) return null
  return faults[results[0]?.result ?? ""] ?? null
}

/** Whose result it is: `header.d`, or the domain of `header.i`, `smtp.mailfrom` and so on. */
function subjectOf({ properties }: MethodResult): string | undefined {
  const names = ["header.d", "header.i", "header.from", "smtp.mailfrom", "envelope-from", "smtp.helo"]
  const found = names.map((name) => properties.get(name)).find((value) => value !== undefined && value !== "")
  const [domain] = found?.slice(found.lastIndexOf("@") + 1).split(">", 1) ?? []
  return domain?.replace(/\.$/, "").toLowerCase()
}

function isAligned(result: MethodResult, from: string | undefined): boolean {
  const subject = subjectOf(result)
  if (subject === undefined || from === undefined) return true
  return (registrableDomain(subject) ?? subject) === (registrableDomain(from) ?? from)
}

function shownResult(one: MethodResult, from: string | undefined): HeaderReading["results"][number] {
  const domain = subjectOf(one)
  const selector = one.properties.get("header.s")
  const address = one.properties.get("client-ip") ?? addressIn(one.reason ?? "")
  return {
    method: one.method,
    result: one.result,
    aligned: isAligned(one, from),
    ...(domain !== undefined && { domain }),
    ...(selector !== undefined && { selector }),
    ...(address !== undefined && { address }),
    ...(one.reason !== undefined && { reason: one.reason.slice(0, 1_000) }),
  }
}

/** An IP address in the words of a server, such as "domain of x designates 192.0.2.1 as permitted sender". */
function addressIn(text: string): string | undefined {
  return /(?:^|[\s[])((?:\d{1,3}\.){3}\d{1,3}|[\da-f]{1,4}:[\da-f:]{3,39})(?=$|[\s\])])/i.exec(text)?.[1]
}

/** The domain of the address in a From field. */
function domainOf(value: string): string | undefined {
  return /@([a-z0-9.-]{1,253})>?\s*(?:\([^()]*\))?$/i.exec(value.slice(-500))?.[1]?.toLowerCase()
}

/** The servers on the way, the first one first (RFC 5321 section 4.4). */
function hopsOf(header: MimeHeader): HeaderReading["hops"] {
  const hops = header.all("received").slice(0, listedMax).toReversed().map(hopOf)
  return hops.map(({ at, ...hop }, index) => {
    const before = hops[index - 1]?.at
    const seconds = at !== null && before ? Math.round((at.getTime() - before.getTime()) / 1_000) : null
    return { ...hop, ...(at !== null && { at }), ...(seconds !== null && { seconds: Math.max(0, seconds) }) }
  })
}

type Hop = Omit<HeaderReading["hops"][number], "at" | "seconds"> & { at: Date | null }

function hopOf(value: string): Hop {
  const end = value.lastIndexOf(";")
  const clauses = end < 0 ? value : value.slice(0, end)
  const named = (name: string) => new RegExp(`(?:^|\\s)${name}\\s+([^\\s;()]{1,255})`, "i").exec(clauses)?.[1]
  const [from, by, protocol] = [named("from"), named("by"), named("with")]
  const time = end < 0 ? NaN : Date.parse(value.slice(end + 1).replaceAll(/\([^()]*\)/g, " "))
  return {
    ...(from !== undefined && { from }),
    ...(by !== undefined && { by }),
    ...(protocol !== undefined && { protocol }),
    encrypted: /^(?:utf8)?e?smtpsa?$/i.test(protocol ?? "") || /\bTLS|version=TLS|cipher/i.test(clauses),
    at: Number.isNaN(time) ? null : new Date(time),
  }
}
