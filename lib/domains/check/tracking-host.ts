import { randomBytes, timingSafeEqual } from "node:crypto"
import { hmac } from "@/lib/platform/crypto"
import type { Dns } from "@/lib/platform/dns/dns"
import { judgeUrl, outboundGuard } from "@/lib/platform/outbound/target"
import { get } from "@/lib/platform/outbound/request"

/** Where a host of tracked links proves that it leads to this installation; a token follows. */
export const proofPath = "/.well-known/mailroom/"

/** Our answer at that path, which nobody else can give. */
export function hostProof(token: string): string {
  return hmac("tracking-host", token).toString("base64url")
}

const timeoutMs = 4_000
const headers = { "user-agent": "Mailroom-Domain-Check/1.0", accept: "text/plain" }

/**
 * Whether a host leads to us by https with a certificate that is valid for it, whatever its DNS records look like: a provider may
 * flatten or proxy the alias. Null if a failed lookup leaves it open. Never throws.
 */
export async function leadsToUs(host: string, dns: Dns): Promise<boolean | null> {
  const addresses = await dns.addresses(host)
  if (addresses.kind === "error") return null
  if (addresses.kind === "missing") return false
  const token = randomBytes(16).toString("base64url")
  const guard = outboundGuard()
  const target = judgeUrl(`https://${host}${proofPath}${token}`, guard)
  if (!target.ok) return false
  const resolve = async () => addresses.values
  const { signal } = new AbortController()
  try {
    const { status, snippet } = await get({ target, guard, resolve, headers, timeoutMs, signal })
    const expected = Buffer.from(hostProof(token))
    const answer = Buffer.from(snippet.toString("latin1").trim())
    return status === 200 && answer.length === expected.length && timingSafeEqual(answer, expected)
  } catch {
    return false
  }
}
