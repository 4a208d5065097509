import { type Cause, type StoredCause, type ToldCause, causeWords } from "@/lib/explanation/record-words"
import type { Dns, DnsAnswer } from "@/lib/platform/dns/dns"
import { cutText } from "@/lib/platform/format"
import type { RecordKey, RecordStatus } from "@/lib/domains/records/records"

/**
 * What a check found out about one record. `unknown`: a lookup failed, which says nothing about the record.
 * `found` is what was found, as text.
 */
export type Finding = {
  outcome: "valid" | "invalid" | "missing" | "unknown"
  found: string[]
  likelyCause?: Cause
}

const foundMax = 8
const foundLengthMax = 2048
/** Characters: a name has at most 255. */
const factLengthMax = 300

/**
 * The finding as it may be stored and shown: strangers' zones hold any bytes and any amount of them, and what no text can
 * carry is written as in zone files (RFC 1035 5.1).
 */
export function presentable(finding: Finding): Finding {
  const found = finding.found.slice(0, foundMax).map((text) => cutText(printable(text), foundLengthMax))
  return { ...finding, found, ...(finding.likelyCause ? { likelyCause: cleaned(finding.likelyCause) } : {}) }
}

/** Facts are texts, lists of texts and numbers. */
function cleaned(cause: Cause): Cause {
  const clean = (fact: unknown): unknown => {
    if (Array.isArray(fact)) return fact.slice(0, foundMax).map(clean)
    return typeof fact === "string" ? cutText(printable(fact), factLengthMax) : fact
  }
  const facts = Object.fromEntries(Object.entries(cause.facts).map(([name, fact]) => [name, clean(fact)]))
  return { ...cause, facts } as Cause
}

function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\${String(character.charCodeAt(0)).padStart(3, "0")}`)
}

export function valid(found: string[]): Finding {
  return { outcome: "valid", found }
}

export function invalid(found: string[], likelyCause: Cause): Finding {
  return { outcome: "invalid", found, likelyCause }
}

export function missing(likelyCause?: Cause): Finding {
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
  const doubled = [...new Set([place.zone, place.domain])].map((zone) => `${place.name}.${zone}`)
  const elsewhere = [...doubled, place.domain].filter((name) => name !== place.name)
  const [alias, ...found] = await Promise.all([dns.cname(place.name), ...elsewhere.map(findAt)])
  const at = found.findIndex((values) => values.length > 0)
  const name = elsewhere[at]
  if (name !== undefined) {
    const host = relativeHost(place)
    return doubled.includes(name)
      ? missing({ code: "doubled-zone", facts: { foundAt: name, host } })
      : missing({ code: "wrong-host", facts: { foundAt: name, name: place.name, host } })
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

export function onlyWildcard({ name }: RecordLocation): Finding {
  return missing({ code: "wildcard", facts: { name } })
}

/** What a failed lookup means: the owner must fix an alias loop; any other failure is inconclusive. */
export function failedLookup(reason: string, name: string): Finding {
  return reason === "alias-loop" ? invalid([], { code: "alias-loop", facts: { name } }) : unknown
}

/** The name as most DNS forms want it: without the zone; `@` is the zone itself. */
export function relativeHost({ name, zone }: { name: string; zone: string }): string {
  if (name === zone) return "@"
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

function aliasInTheWay(place: RecordLocation, targets: string[]): Finding {
  return invalid(
    targets.map((target) => `CNAME ${target}`),
    { code: "cname-in-the-way", facts: { name: place.name, targets, host: relativeHost(place) } },
  )
}

/** What a check found out about a record, as the history stores it. */
export type StoredFinding = { key: RecordKey; status: RecordStatus; likelyCause?: StoredCause }

export type StoredCheck = { at: Date; status: string; findings: StoredFinding[] }

export type CheckChanges = {
  at: Date
  status: string
  changes: { record: RecordKey; status: RecordStatus; likelyCause?: ToldCause }[]
}

/**
 * The newest `shown` checks, each with what changed since the one before. `stored` is newest first and holds one more
 * where more exist; before the first check every record was pending.
 */
export function checksOf(stored: StoredCheck[], shown: number): CheckChanges[] {
  return stored.slice(0, shown).map(({ at, status, findings }, index) => {
    const earlier = stored[index + 1]?.findings ?? []
    const changes = findings
      .filter((finding) =>
        differs(
          finding,
          earlier.find(({ key }) => key === finding.key),
        ),
      )
      .map(({ key, status: now, likelyCause }) => ({
        record: key,
        status: now,
        ...(likelyCause ? { likelyCause: causeWords(likelyCause) } : {}),
      }))
    return { at, status, changes }
  })
}

function differs(now: StoredFinding, earlier: StoredFinding | undefined): boolean {
  return now.status !== (earlier?.status ?? "pending") || now.likelyCause?.code !== earlier?.likelyCause?.code
}
