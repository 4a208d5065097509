import type { Dns } from "@/lib/platform/dns/types"
import { cutText } from "@/lib/platform/text"
import { registrableDomain } from "@/lib/addresses/registrable"

/** The zone that contains a domain's records, and the names of its name servers. */
export type Hosting = { zone: string; nameServers: string[] }

const nameServersKept = 8
const nameCharsMax = 255

/**
 * Where a domain's records are hosted: the nearest name at or above it, up to the registrable domain, that has name servers
 * of its own. Null when lookups fail.
 */
export async function findHosting(dns: Dns, domain: string): Promise<Hosting | null> {
  const candidates = namesUpTo(domain, registrableDomain(domain) ?? domain)
  const answers = await Promise.all(candidates.map((name) => dns.ns(name)))
  for (const [at, answer] of answers.entries()) {
    const zone = candidates[at]
    // A delegation whose lookup failed may be the nearest one: what is above it proves nothing.
    if (zone === undefined || answer.kind === "error") return null
    if (answer.kind === "found")
      return {
        zone,
        nameServers: answer.values
          .toSorted()
          .slice(0, nameServersKept)
          .map((name) => cutText(name, nameCharsMax)),
      }
  }
  return null
}

/** The name and its parents, down to and with the top one. */
function namesUpTo(name: string, top: string): string[] {
  if (name === top || !name.endsWith(`.${top}`)) return [name]
  return [name, ...namesUpTo(name.slice(name.indexOf(".") + 1), top)]
}
