import type { Dns } from "@/lib/platform/dns/types"
import { valid, invalid, type Finding } from "@/lib/domains/check/findings"
import { failedLookup, missingAt, relativeHost, type Place } from "@/lib/domains/check/misplaced"

/** The tracking host is an alias of ours. A proxied or flattened alias shows addresses instead. */
export async function compareTracking(dns: Dns, place: Place, target: string): Promise<Finding> {
  const answer = await dns.cname(place.name)
  if (answer.kind === "error") return failedLookup(answer.reason, place.name)
  if (answer.kind === "found") {
    const found = answer.values
    if (found.every((value) => value === target)) return valid(found)
    return found.some((value) => value.startsWith(`${target}.`))
      ? invalid(
          found,
          "doubled-zone",
          "Your DNS provider added your domain to the target.",
          `End the value with a dot: ${target}.`,
        )
      : invalid(found, "other-target", `${place.name} points elsewhere.`, "Replace the target with the value shown.")
  }
  const addresses = await dns.addresses(place.name)
  if (addresses.kind === "found") {
    return invalid(
      addresses.values,
      "proxied",
      `${place.name} resolves to addresses instead of a CNAME: your DNS provider proxies or flattens it.`,
      `Set ${relativeHost(place)} to "DNS only" at your provider.`,
    )
  }
  return missingAt(dns, place, async (name) => {
    const other = await dns.cname(name)
    return other.kind === "found" ? other.values.filter((value) => value === target) : []
  })
}
