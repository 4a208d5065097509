import { createHash, X509Certificate } from "node:crypto"
import type { DetailedPeerCertificate, TLSSocket } from "node:tls"
import type { Demand } from "@/lib/delivery/direct/hosts"
import type { Tlsa, StubOutcome } from "@/lib/platform/dns/stub"

/** Certificates of a server that are looked at. */
const chainMax = 8

/**
 * What the TLSA records of a server demand (RFC 7672): a certificate that matches one of them; or, where there is none that
 * we can use, any encryption.
 * @param names of the server, as one of them a certificate below a trust anchor has to be issued to
 */
export function daneDemand(records: readonly Tlsa[], names: readonly string[], now: () => Date): Demand {
  const usable = records.filter(isUsable)
  const reported = { type: "tlsa", lines: records.map(recordText) } as const
  if (usable.length === 0) {
    const doubt = { result: "tlsa-invalid" } as const
    return { level: "encrypted", policy: "dane", key: "dane", verify: () => null, reported, doubt }
  }
  const key = createHash("sha256")
    .update(JSON.stringify([usable, names]))
    .digest("base64url")
  const verify = (socket: TLSSocket) => judgeChain(chainOf(socket), usable, names, now())
  return { level: "dane", policy: "dane", key, verify, reported }
}

/** As zone files have it. */
function recordText({ usage, selector, matchingType, certificate }: Tlsa): string {
  return `${usage} ${selector} ${matchingType} ${certificate.toString("hex")}`
}

/** Usages 0 and 1 mean nothing for SMTP (RFC 7672 section 3.1.3). */
function isUsable({ usage, selector, matchingType }: Tlsa): boolean {
  return (usage === daneTa || usage === daneEe) && selector <= 1 && matchingType <= 2
}

const [daneTa, daneEe] = [2, 3]

/** What is wrong with a chain, from the server's own certificate on; null if a record matches it. */
export function judgeChain(
  chain: readonly X509Certificate[],
  records: readonly Tlsa[],
  names: readonly string[],
  now: Date,
): string | null {
  const [own] = chain
  if (!own) return "The server shows no certificate."
  // Neither names nor dates count: the record is about this very key (RFC 7672 section 3.1.1).
  if (records.some((record) => record.usage === daneEe && matches(record, own))) return null
  const anchorAt = chain.findIndex(
    (each, at) => at > 0 && records.some((one) => one.usage === daneTa && matches(one, each)),
  )
  if (anchorAt === -1) return "The server's certificate does not match its TLSA records (DANE)."
  if (!names.some((name) => own.checkHost(name) !== undefined))
    return `The server's certificate is not for ${names[0]}, which its TLSA records (DANE) demand.`
  const path = chain.slice(0, anchorAt + 1)
  return path.every((each) => isValidAt(each, now)) && path.every((each, at) => isIssued(each, path[at + 1]))
    ? null
    : "The server's certificate is not valid below the authority that its TLSA records (DANE) name."
}

function isIssued(certificate: X509Certificate, issuer: X509Certificate | undefined): boolean {
  return !issuer || (issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey))
}

function isValidAt({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  return new Date(validFrom) <= now && now <= new Date(validTo)
}

function matches({ selector, matchingType, certificate }: Tlsa, given: X509Certificate): boolean {
  const content = selector === 0 ? given.raw : given.publicKey.export({ type: "spki", format: "der" })
  const hash =
    matchingType === 0
      ? content
      : createHash(matchingType === 1 ? "sha256" : "sha512")
          .update(content)
          .digest()
  return hash.equals(certificate)
}

/** The certificates that the server has sent, each followed by its issuer. */
function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = []
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
  while (next?.raw && chain.length < chainMax) {
    chain.push(new X509Certificate(next.raw))
    // The issuer of a root is the root itself.
    next = next.issuerCertificate === next ? undefined : next.issuerCertificate
  }
  return chain
}

/** A policy of MTA-STS (RFC 8461): to which hosts mail goes, and whether only over TLS with a valid certificate. */
export type StsPolicy = { mode: "enforce" | "testing" | "none"; mx: readonly string[]; maxAgeSeconds: number }

/** The id of the one record that a domain with a policy has (RFC 8461 section 3.1). */
export function policyIdIn(record: StubOutcome<string>): string | undefined {
  const records = record.kind === "found" ? record.values.filter((text) => /^v=STSv1\s*(?:;|$)/.test(text)) : []
  if (records.length !== 1) return undefined
  const fields = (records[0] ?? "").split(";").map((field) => field.trim())
  return fields.flatMap((field) => /^id\s*=\s*([A-Za-z0-9]{1,32})$/.exec(field)?.[1] ?? [])[0]
}

const maxAgeSecondsMax = 31_557_600
const patternsMax = 100

/** Reads a policy (RFC 8461 section 3.2); null if it is none. */
export function parsePolicy(text: string): StsPolicy | null {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const fields = lines.filter(Boolean).map((line) => {
    const at = line.indexOf(":")
    return { name: line.slice(0, at), value: line.slice(at + 1).trim() }
  })
  // Of a field that may occur once, the first one counts.
  const first = (wanted: string) => fields.find(({ name }) => name === wanted)?.value
  const mode = (["enforce", "testing", "none"] as const).find((one) => one === first("mode"))
  const maxAge = /^\d{1,10}$/.exec(first("max_age") ?? "")?.[0]
  const mx = fields.flatMap(({ name, value }) => (name === "mx" ? value.toLowerCase().replace(/\.$/, "") : []))
  if (first("version") !== "STSv1" || !mode || maxAge === undefined) return null
  if (mx.length > patternsMax || !mx.every(isPattern) || (mx.length === 0 && mode !== "none")) return null
  return { mode, mx, maxAgeSeconds: Math.min(Number(maxAge), maxAgeSecondsMax) }
}

/** A host name, or all that are one label below one. */
function isPattern(text: string): boolean {
  return /^(?=.{1,255}$)(?:\*\.)?[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/.test(text)
}

/** Whether a policy allows a host. A `*` is exactly one label. */
export function allowsHost({ mx }: StsPolicy, host: string): boolean {
  const parent = host.slice(host.indexOf(".") + 1)
  return mx.some((pattern) => pattern === host || (host.includes(".") && pattern === `*.${parent}`))
}

/** The policy as its file has it. */
export function policyLines({ mode, mx, maxAgeSeconds }: StsPolicy): string[] {
  return ["version: STSv1", `mode: ${mode}`, ...mx.map((pattern) => `mx: ${pattern}`), `max_age: ${maxAgeSeconds}`]
}
