import { registrableDomain } from "@/lib/addresses/registrable"
import { headerOf, type MimeHeader } from "@/lib/platform/mime/mime-parts"
import { dayMs } from "@/lib/platform/time"
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

/** Ten years: beyond, the clock of one of both servers is wrong. */
const secondsMax = (10 * 365 * dayMs) / 1_000

/** The servers on the way, the first one first (RFC 5321 section 4.4). */
function hopsOf(header: MimeHeader): HeaderReading["hops"] {
  const hops = header.all("received").slice(0, listedMax).toReversed().map(hopOf)
  return hops.map(({ at, ...hop }, index) => {
    const before = hops[index - 1]?.at
    const seconds = at !== null && before ? Math.max(0, Math.round((at.getTime() - before.getTime()) / 1_000)) : null
    const told = seconds !== null && seconds < secondsMax
    return { ...hop, ...(at !== null && { at }), ...(told && { seconds }) }
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
    at: time >= Date.UTC(1900) && time < Date.UTC(10_000) ? new Date(time) : null,
  }
}

/** What a server says of one method of authentication (RFC 8601 section 2.2). */
type MethodResult = {
  /** `spf`, `dkim`, `dmarc`, `arc` and others, in lower case. */
  method: string
  result: string
  /** In the words of the server: its reason, else its comment. */
  reason?: string
  /** By `header.d`, `smtp.mailfrom` and so on, in lower case. */
  properties: ReadonlyMap<string, string>
}

type AuthenticationResults = {
  /** The server that says it; absent where it gives no name, as Outlook.com's does. */
  server?: string
  results: readonly MethodResult[]
}

const resultsMax = 50
const propertiesMax = 20

type Token = { kind: "word" | "quoted" | "comment" | "sign"; text: string }

/** Reads the value of a field Authentication-Results, unfolded. What is not in its form is left out. */
export function authenticationResults(value: string): AuthenticationResults {
  const [first = [], ...rest] = segmentsOf(tokensOf(value))
  const head = resultOf(first)
  const results = (head ? [first, ...rest] : rest).slice(0, resultsMax).flatMap((segment) => resultOf(segment) ?? [])
  const server = head ? undefined : first.find(({ kind }) => kind !== "comment")?.text.toLowerCase()
  return { ...(server !== undefined && server !== "" && { server }), results }
}

/** The value of Received-SPF (RFC 7208 section 9.1): a result, a comment, and pairs. */
function receivedSpf(value: string): MethodResult | null {
  const [first, ...rest] = tokensOf(value)
  if (first?.kind !== "word") return null
  return { ...methodResult("spf", first.text, rest), properties: pairsOf(rest) }
}

/** Tags of DKIM-Signature, ARC-Seal and their like (RFC 6376 section 3.2), by name. */
function tagsOf(value: string): ReadonlyMap<string, string> {
  const pairs = value.split(";", 100).map((part) => {
    const at = part.indexOf("=")
    return [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).replaceAll(/\s/g, "")] as const
  })
  return new Map(pairs.filter(([name]) => name !== ""))
}

/** `method[/version] = result`, and what follows it; null for what begins otherwise. */
function resultOf(tokens: readonly Token[]): MethodResult | null {
  const own = tokens.filter(({ kind }) => kind !== "comment")
  const at = own.findIndex(({ kind, text }) => kind === "sign" && text === "=")
  const [method, result] = [own[0], own[at + 1]]
  // A version may follow the method, as in `dkim/1`.
  const isMethod = at > 0 && own.slice(1, at).every(({ text }) => /^\/?\d*$/.test(text))
  if (!isMethod || method?.kind !== "word" || result?.kind !== "word") return null
  const rest = tokens.slice(tokens.indexOf(result) + 1)
  return { ...methodResult(method.text, result.text, rest), properties: pairsOf(rest) }
}

function methodResult(method: string, result: string, rest: readonly Token[]): Omit<MethodResult, "properties"> {
  const reason = pairsOf(rest).get("reason") ?? rest.find(({ kind }) => kind === "comment")?.text
  return {
    method: method.replace(/\/.*/, "").toLowerCase(),
    result: result.toLowerCase(),
    ...(reason !== undefined && { reason }),
  }
}

function pairsOf(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const own = tokens.filter(({ kind }) => kind !== "comment")
  const pairs = new Map<string, string>()
  for (let at = 1; at < own.length - 1 && pairs.size < propertiesMax; at++) {
    const [name, sign, value] = [own[at - 1], own[at], own[at + 1]]
    if (sign?.text === "=" && sign.kind === "sign" && name?.kind === "word" && value && value.kind !== "sign")
      pairs.set(name.text.toLowerCase(), value.text)
  }
  return pairs
}

function segmentsOf(tokens: readonly Token[]): Token[][] {
  const segments: Token[][] = [[]]
  for (const token of tokens)
    if (token.kind === "sign" && token.text === ";") segments.push([])
    else segments.at(-1)?.push(token)
  return segments
}

const quotedString = /"((?:[^"\\]|\\[^])*)"?/y
const word = /[^\s;="()]+/y
/** A value that is not quoted may hold `=`, as bounce addresses do. */
const valueWord = /[^\s;"()]+/y

/** Words, quoted strings, comments with what is nested in them, and signs. */
function tokensOf(value: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < value.length) {
    const char = value.charAt(at)
    if (/\s/.test(char)) at += 1
    else if (char === "(") {
      const end = commentEnd(value, at)
      tokens.push({ kind: "comment", text: value.slice(at + 1, end).trim() })
      at = end + 1
    } else if (char === '"') {
      quotedString.lastIndex = at
      const [whole = char, text = ""] = quotedString.exec(value) ?? []
      tokens.push({ kind: "quoted", text: text.replaceAll(/\\([^])/g, "$1") })
      at += whole.length
    } else {
      const isValue = tokens.at(-1)?.kind === "sign" && tokens.at(-1)?.text === "="
      const pattern = isValue ? valueWord : word
      pattern.lastIndex = at
      const [text] = pattern.exec(value) ?? []
      tokens.push(text === undefined ? { kind: "sign", text: char } : { kind: "word", text })
      at += text?.length ?? 1
    }
  }
  return tokens
}

/** Where the parenthesis that closes a comment is; the end of the text if none does. */
function commentEnd(value: string, start: number): number {
  let depth = 0
  for (let at = start; at < value.length; at++) {
    const char = value.charAt(at)
    if (char === "\\") at += 1
    else if (char === "(") depth += 1
    else if (char === ")" && --depth === 0) return at
  }
  return value.length
}
