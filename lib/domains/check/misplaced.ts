import type { Dns } from "@/lib/platform/dns/types"
import { missing, wrong, unknown, type Finding } from "@/lib/domains/check/findings"

/** Where a record belongs: its name, the registered domain, and the zone that the owner's provider keeps. */
export type Place = { name: string; domain: string; zone: string }

/**
 * Nothing stands at the record's name: looks where people put it by mistake, under the zone's name a second time or
 * at the domain itself, and for an alias that takes the name. `standsAt` tells whether our value is at another name.
 */
export async function missingAt(
  dns: Dns,
  place: Place,
  standsAt: (name: string) => Promise<string[]>,
): Promise<Finding> {
  const doubled = [...new Set([place.zone, place.domain])].map((zone) => ({ zone, name: `${place.name}.${zone}` }))
  const elsewhere = [...doubled.map(({ name }) => name), place.domain].filter((name) => name !== place.name)
  const [alias, ...found] = await Promise.all([dns.cname(place.name), ...elsewhere.map(standsAt)])
  const at = found.findIndex((values) => values.length > 0)
  const name = elsewhere[at]
  if (name !== undefined) {
    const zone = doubled.find((candidate) => candidate.name === name)?.zone
    const host = relativeHost(place)
    return zone === undefined
      ? missing({
          code: "wrong-host",
          at: name,
          sentence: `The record stands at ${name} instead of ${place.name}.`,
          mend: `Move it to the host ${host}.`,
        })
      : missing({
          code: "doubled-zone",
          at: name,
          sentence: `The record stands at ${name}: the provider added the zone a second time.`,
          mend: `Enter the host as ${host}, without ${zone}.`,
        })
  }
  return alias.kind === "found" ? aliasInTheWay(place, alias.values) : missing()
}

/** What a failed lookup means: an alias loop is the owner's to mend, everything else says nothing yet. */
export function failedLookup(reason: string, name: string): Finding {
  if (reason !== "alias-loop") return unknown
  return wrong(
    [],
    "alias-loop",
    `The aliases at ${name} lead in a circle.`,
    `Delete the CNAME at ${name} and publish the record itself.`,
  )
}

/** The name as most DNS forms want it: without the zone; `@` is the zone itself. */
export function relativeHost({ name, zone }: { name: string; zone: string }): string {
  if (name === zone) return "@"
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

function aliasInTheWay(place: Place, targets: string[]): Finding {
  return wrong(
    targets.map((target) => `CNAME ${target}`),
    "cname-in-the-way",
    `${place.name} is an alias of ${targets.join(", ")}, and beside an alias no other record counts.`,
    `Delete the CNAME at ${relativeHost(place)}, or switch the provider's proxy to "DNS only".`,
  )
}
