import { BlockList, isIP } from "node:net"
import type { Network } from "@/lib/platform/env/fields"

/** IPv4 that is not public, by IANA's registry of special-purpose addresses, and multicast. */
const specialV4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
]

/** Global unicast, but for what tunnels to IPv4 (Teredo, 6to4) and what is reserved for protocols and documentation. */
const globalV6: readonly [string, number][] = [["2000::", 3]]
const specialV6: readonly [string, number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]

const special = listOf([...specialV4, ...specialV6])
const unicast = listOf(globalV6)

export type Reach = "public" | "allowed" | "refused"

/** Judges addresses that requests may be sent to: public ones, and those of networks that the operator allows. */
export function createReach(networks: readonly Network[]): (address: string) => Reach {
  const allowed = listOf(networks.map(({ address, prefix }) => [address, prefix]))
  return (address) => {
    const family = isIP(address)
    // An address with a zone, such as fe80::1%eth0, is never one of another machine on the internet.
    if (family === 0 || address.includes("%")) return "refused"
    const kind = family === 4 ? "ipv4" : "ipv6"
    // IPv4 written as IPv6 (::ffff:127.0.0.1) is judged by the networks of IPv4.
    if (allowed.check(address, kind)) return "allowed"
    if (special.check(address, kind)) return "refused"
    return family === 4 || unicast.check(address, kind) ? "public" : "refused"
  }
}

function listOf(networks: readonly [string, number][]): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, isIP(address) === 4 ? "ipv4" : "ipv6")
  return list
}

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
