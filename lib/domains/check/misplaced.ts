import type { Dns } from "@/lib/platform/dns/types"
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
  return alias.kind === "found" ? aliasInTheWay(place, alias.values) : missing()
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
