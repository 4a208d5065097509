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
