import { parseUrl } from "@/lib/platform/url-rules"

/** An address or a network: of IPv4 (32 bits) or IPv6 (128), whose first `prefix` bits are those of `first`. */
export type AddressRange = { bits: 32 | 128; prefix: number; first: bigint }

const byte = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
/** What stands before the 32 bits of an IPv4 address that is written as IPv6: mapped, or by a translator (RFC 6052). */
const beforeIpv4 = [0xffffn, 0x64ff9bn << 64n]

/**
 * An IPv4 or IPv6 address, or a network in CIDR notation, as somebody writes it; null for anything else. What is not part of a
 * network's prefix is dropped, and IPv4 that is written as IPv6 is IPv4.
 */
export function readRange(text: string): AddressRange | null {
  const [address = "", length, ...more] = text.trim().split("/")
  const read = valueOf(address)
  if (!read || more.length > 0) return null
  const { bits, value } = read
  if (length === undefined) return { bits, prefix: bits, first: value }
  if (!/^(?:0|[1-9]\d{0,2})$/.test(length)) return null
  const prefix = Number(length) - (bits === 32 && address.includes(":") ? 96 : 0)
  if (prefix < 0 || prefix > bits) return null
  const rest = BigInt(bits - prefix)
  return { bits, prefix, first: (value >> rest) << rest }
}

/** The one form of a range; a single address has no length. */
export function rangeText({ bits, prefix, first }: AddressRange): string {
  const parts = (count: number, size: bigint) =>
    Array.from({ length: count }, (_, index) => (first >> (size * BigInt(count - 1 - index))) & ((1n << size) - 1n))
  const address =
    bits === 32
      ? parts(4, 8n).join(".")
      : hostOf(
          parts(8, 16n)
            .map((group) => group.toString(16))
            .join(":"),
        )
  return prefix === bits ? `${address}` : `${address}/${prefix}`
}

/** Whether one of the ranges has a client's address; what is no address is in none. */
export function isWithin(ranges: readonly AddressRange[], address: string): boolean {
  // The zone of a link-local address names an interface of this machine.
  const read = valueOf(address.split("%")[0] ?? "")
  if (!read) return false
  return ranges.some(({ bits, prefix, first }) => {
    const rest = BigInt(bits - prefix)
    return bits === read.bits && first >> rest === read.value >> rest
  })
}

function valueOf(text: string): { bits: 32 | 128; value: bigint } | null {
  const ipv4 = text.split(".")
  if (ipv4.length === 4 && ipv4.every((part) => byte.test(part))) return { bits: 32, value: joined(ipv4, 8n) }
  const groups = ipv6Groups(text)
  if (!groups) return null
  const value = joined(
    groups.map((group) => `0x${group}`),
    16n,
  )
  return beforeIpv4.includes(value >> 32n) ? { bits: 32, value: value & 0xffffffffn } : { bits: 128, value }
}

function joined(parts: readonly string[], size: bigint): bigint {
  return parts.reduce((sum, part) => (sum << size) + BigInt(part), 0n)
}

/** The URL standard's parser knows every form of IPv6, in browsers too. */
function ipv6Groups(text: string): string[] | null {
  const host = /^[\da-f:.]{2,45}$/i.test(text) ? hostOf(text) : null
  if (host === null) return null
  const [before = [], after] = host.split("::").map((half) => half.split(":").filter(Boolean))
  if (!after) return before
  return [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after]
}

function hostOf(ipv6: string): string | null {
  return parseUrl(`http://[${ipv6}]`)?.hostname.slice(1, -1) ?? null
}
