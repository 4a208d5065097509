import type { Dns, DnsAnswer } from "@/lib/platform/dns/types"
import { missing, invalid, unknown, type Finding } from "@/lib/domains/check/findings"

/** Where a record belongs: its name, the registered domain, and the zone at the owner's DNS provider. */
export type Place = { name: string; domain: string; zone: string }

/**
 * The record was not found at its name: searches where people often put it by mistake (with the zone's name appended twice,
 * or at the domain itself) and for a CNAME at the name. `findAt` looks for our value at another name.
 */
export async function missingAt(dns: Dns, place: Place, findAt: (name: string) => Promise<string[]>): Promise<Finding> {
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

export function onlyWildcard(place: Place): Finding {
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

function aliasInTheWay(place: Place, targets: string[]): Finding {
  return invalid(
    targets.map((target) => `CNAME ${target}`),
    "cname-in-the-way",
    `${place.name} has a CNAME to ${targets.join(", ")}, and no other record is valid beside a CNAME.`,
    `Delete the CNAME at ${relativeHost(place)}, or switch the provider's proxy to "DNS only".`,
  )
}
