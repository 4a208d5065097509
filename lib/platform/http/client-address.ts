import { isIP } from "node:net"

/** Shared by everything that is not an address, such as the remote address of a closed socket. */
const unknown = "unknown"
/** IPv4 addresses written as IPv6: mapped ones, and those of a translator (RFC 6052, 64:ff9b::/96). */
const ipv4Prefixes = ["0:0:0:0:0:ffff", "64:ff9b:0:0:0:0"]

/**
 * What every limit per client address counts by: the IPv4 address, or the IPv6 /64, since one customer of a provider
 * owns at least that many addresses.
 */
export function networkOf(address: string): string {
  const groups = ipv6Groups(address)
  if (!groups) return isIP(address) === 4 ? address : unknown
  if (ipv4Prefixes.includes(groups.slice(0, 6).join(":"))) return ipv4Of(groups.slice(6))
  return `${groups.slice(0, 4).join(":")}::/64`
}

/** The network within which a client's address is likely to change: the IPv4 /24 or the IPv6 /64. */
export function subnetOf(address: string): string {
  const network = networkOf(address)
  return isIP(network) === 4 ? `${network.slice(0, network.lastIndexOf("."))}.0/24` : network
}

/** The eight groups of an IPv6 address without leading zeros, or null. */
function ipv6Groups(address: string): string[] | null {
  const [bare = ""] = address.split("%")
  if (isIP(bare) !== 6) return null
  const [before = [], after] = bare.split("::").map((half) => half.split(":").filter(Boolean).flatMap(groupsOf))
  const zeros = Array<string>(8 - before.length - (after?.length ?? 0)).fill("0")
  return after ? [...before, ...zeros, ...after] : before
}

/** The end of an address may be written as IPv4: two groups. */
function groupsOf(part: string): string[] {
  if (!part.includes(".")) return [parseInt(part, 16).toString(16)]
  const [a = 0, b = 0, c = 0, d = 0] = part.split(".").map(Number)
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
}

function ipv4Of(groups: string[]): string {
  return groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]).join(".")
}
