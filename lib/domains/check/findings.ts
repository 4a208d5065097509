import type { Dns, DnsAnswer } from "@/lib/platform/dns/types"
import { cutText } from "@/lib/platform/text"

/**
 * Why a record is not valid, as far as we recognise it, and how to fix it. `foundAt` is the name at which the record was
 * found instead.
 */
export type RecognizedCause = { code: LikelyCauseCode; message: string; fix: string; foundAt?: string }

export type LikelyCauseCode =
  | "doubled-zone"
  | "wrong-host"
  | "several-records"
  | "quoted"
  | "escaped-semicolon"
  | "testing-flag"
  | "dkim-hash"
  | "dkim-service"
  | "dkim-version-order"
  | "revoked-key"
  | "other-key"
  | "retired-key"
  | "truncated"
  | "split-records"
  | "unreadable"
  | "other-value"
  | "cname-in-the-way"
  | "wildcard"
  | "names-changed"
  | "alias-loop"
  | "proxied"
  | "other-target"
  | "extra-mx"
  | "other-mx"
  | "spf-lookups"
  | "spf-voids"
  | "spf-syntax"
  | "spf-not-passing"
  | "dmarc-several"
  | "dmarc-invalid"
  | "dmarc-policy-unreadable"
  | "dmarc-vendor-hosted"
  | "dmarc-rua-missing"
  | "dmarc-not-authorized"

/**
 * What a check found out about one record. `unknown`: a lookup failed, which says nothing about the record.
 * `found` is what was found, as text.
 */
export type Finding = {
  outcome: "valid" | "invalid" | "missing" | "unknown"
  found: string[]
  likelyCause?: RecognizedCause
}

const foundMax = 8
const foundLengthMax = 2048

/**
 * The finding as it may be stored and shown: strangers' zones hold any bytes and any amount of them, and what no text can
 * carry is written as in zone files (RFC 1035 5.1).
 */
export function presentable(finding: Finding): Finding {
  const found = finding.found.slice(0, foundMax).map((text) => cutText(printable(text), foundLengthMax))
  return { ...finding, found, ...(finding.likelyCause ? { likelyCause: cleaned(finding.likelyCause) } : {}) }
}

function cleaned({ message, fix, ...rest }: RecognizedCause): RecognizedCause {
  return {
    ...rest,
    message: cutText(printable(message), foundLengthMax),
    fix: cutText(printable(fix), foundLengthMax),
  }
}

function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\${String(character.charCodeAt(0)).padStart(3, "0")}`)
}

export function valid(found: string[]): Finding {
  return { outcome: "valid", found }
}

export function invalid(found: string[], code: LikelyCauseCode, message: string, fix: string): Finding {
  return { outcome: "invalid", found, likelyCause: { code, message, fix } }
}

export function missing(likelyCause?: RecognizedCause): Finding {
  return likelyCause ? { outcome: "missing", found: [], likelyCause } : { outcome: "missing", found: [] }
}

export const unknown: Finding = { outcome: "unknown", found: [] }

/** Something was found, and it could not be judged. */
export function undecided(found: string[]): Finding {
  return { outcome: "unknown", found }
}

// Records that are not at their name

/** Where a record belongs: its name, the registered domain, and the zone at the owner's DNS provider. */
export type RecordLocation = { name: string; domain: string; zone: string }

/**
 * The record was not found at its name: searches where people often put it by mistake (with the zone's name appended twice,
 * or at the domain itself) and for a CNAME at the name. `findAt` looks for our value at another name.
 */
export async function missingAt(
  dns: Dns,
  place: RecordLocation,
  findAt: (name: string) => Promise<string[]>,
): Promise<Finding> {
  const doubled = [...new Set([place.zone, place.domain])].map((zone) => ({ zone, name: `${place.name}.${zone}` }))
  const elsewhere = [...doubled.map(({ name }) => name), place.domain].filter((name) => name !== place.name)
  const [alias, ...found] = await Promise.all([dns.cname(place.name), ...elsewhere.map(findAt)])
  const at = found.findIndex((values) => values.length > 0)
  const name = elsewhere[at]
  if (name !== undefined) {
    const zone = doubled.find((candidate) => candidate.name === name)?.zone
    const host = relativeHost(place)
    return zone === undefined
      ? missing({
          code: "wrong-host",
          foundAt: name,
          message: `Found at ${name} instead of ${place.name}.`,
          fix: `Move it to the host ${host}.`,
        })
      : missing({
          code: "doubled-zone",
          foundAt: name,
          message: `Found at ${name}. Your DNS provider added the domain again.`,
          fix: `Enter ${host} as the host.`,
        })
  }
  if (alias.kind !== "found") return missing()
  return (await isWildcard(dns, place.name, "txt")) ? onlyWildcard(place) : aliasInTheWay(place, alias.values)
}

/** A label that nobody publishes anything at. */
const probe = "mr-wildcard-probe"

/**
 * Whether what the DNS answers at a name is a wildcard's: a name beside it that does not exist gets the same answer. A record that is published at
 * the name itself overrides a wildcard of any type (RFC 4592 2.2.1).
 */
export async function isWildcard(dns: Dns, name: string, type: "txt" | "mx" | "addresses"): Promise<boolean> {
  const sibling = name.replace(/^[^.]+/, probe)
  const [alias, values, otherAlias, otherValues] = await Promise.all([
    dns.cname(name),
    dns[type](name),
    dns.cname(sibling),
    dns[type](sibling),
  ])
  if (otherAlias.kind !== "found" && otherValues.kind !== "found") return false
  return print(alias) === print(otherAlias) && print(values) === print(otherValues)
}

function print(answer: DnsAnswer<unknown>): string {
  return answer.kind === "found"
    ? JSON.stringify(answer.values.map((value) => JSON.stringify(value)).sort())
    : answer.kind
}

export function onlyWildcard(place: RecordLocation): Finding {
  const above = place.name.replace(/^[^.]+\./, "")
  return missing({
    code: "wildcard",
    message: `Nothing is published at ${place.name} itself: a wildcard record answers there, as at every other name under ${above}.`,
    fix: "Add the record shown. It takes precedence over the wildcard, which can stay.",
  })
}

/** What a failed lookup means: the owner must fix an alias loop; any other failure is inconclusive. */
export function failedLookup(reason: string, name: string): Finding {
  if (reason !== "alias-loop") return unknown
  return invalid(
    [],
    "alias-loop",
    `The CNAME records at ${name} form a loop.`,
    `Delete the CNAME at ${name} and publish the record itself.`,
  )
}

/** The name as most DNS forms want it: without the zone; `@` is the zone itself. */
export function relativeHost({ name, zone }: { name: string; zone: string }): string {
  if (name === zone) return "@"
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

function aliasInTheWay(place: RecordLocation, targets: string[]): Finding {
  return invalid(
    targets.map((target) => `CNAME ${target}`),
    "cname-in-the-way",
    `${place.name} has a CNAME to ${targets.join(", ")}, and no other record is valid beside a CNAME.`,
    `Delete the CNAME at ${relativeHost(place)}, or switch the provider's proxy to "DNS only".`,
  )
}
