import type { IncomingHttpHeaders } from "node:http"
import { isIP } from "node:net"

/**
 * Who really asks: the socket's address, or, behind `hops` proxies of our own, the address that the outermost of them
 * wrote into X-Forwarded-For. Entries further left are the client's own words and never trusted.
 */
export function clientAddress(socketAddress: string | undefined, headers: IncomingHttpHeaders, hops: number): string {
  const direct = plain(socketAddress ?? "")
  if (hops === 0) return direct
  const forwarded = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((part) => plain(part.trim()))
  const chain = [...forwarded.filter(Boolean), direct]
  const claimed = chain[Math.max(0, chain.length - 1 - hops)] ?? direct
  return isIP(claimed) ? claimed : direct
}

function plain(address: string): string {
  const bare = /^\[([^\]]+)\](:\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
  return bare.replace(/^::ffff:(?=\d+\.)/i, "")
}
