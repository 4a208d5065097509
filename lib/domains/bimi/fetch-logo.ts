import { gunzipSync } from "node:zlib"
import { judgeLogo, logoBytesMax, type LogoVerdict } from "@/lib/domains/bimi/logo"
import type { Dns } from "@/lib/platform/dns/types"
import { judgeUrl, outboundGuard } from "@/lib/platform/outbound/url"
import { download } from "@/lib/platform/outbound/request"
import { resolveBy, TargetRefused } from "@/lib/platform/outbound/resolve"

const timeoutMs = 5_000
const headers = {
  "user-agent": "Mailroom-BIMI/1.0",
  accept: "image/svg+xml",
  "accept-encoding": "identity",
}

/** Requests the logo and judges it. Receivers follow no redirects, and neither does this. Never rejects. */
export async function fetchLogo(url: string, dns: Dns): Promise<LogoVerdict> {
  const guard = outboundGuard()
  const target = judgeUrl(url, guard)
  if (!target.ok) return target
  try {
    const response = await download({
      ...{ target, guard, resolve: resolveBy(dns), headers, timeoutMs },
      signal: AbortSignal.timeout(timeoutMs),
      bytesMax: logoBytesMax,
    })
    if (response.status >= 300 && response.status < 400)
      return refuse("The server redirects. Give the address to which it redirects.")
    if (response.status !== 200) return refuse(`The server answered ${response.status}.`)
    if (!response.body) return refuse("The logo is larger than 32 KiB.")
    return judgeLogo(unpacked(response.body))
  } catch (error) {
    return refuse(reasonOf(error))
  }
}

/** Some servers send SVG packed (`.svgz`), whatever they are asked for. */
function unpacked(body: Buffer): Uint8Array {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  try {
    return gunzipSync(body, { maxOutputLength: logoBytesMax })
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
      throw new TargetRefused("The logo is larger than 32 KiB unpacked.")
    throw new TargetRefused("The gzip data of the logo is damaged.")
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TargetRefused) return error.message
  const { code, name } = error as NodeJS.ErrnoException
  if (name === "TimeoutError" || name === "AbortError")
    return `The server did not answer within ${timeoutMs / 1_000} seconds.`
  return `The server could not be reached${code ? ` (${code})` : ""}.`
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
