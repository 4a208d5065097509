import { isbot } from "isbot"
import { isProxy } from "@/lib/tracking/hits/device-rules"

const userAgentCharsMax = 300

/** A user agent as it is stored: printable, and cut. */
export function storedAgent(header: string | undefined): string | null {
  const text = (header ?? "").replace(/[^\x20-\x7e]+/g, " ").trim()
  return text.slice(0, userAgentCharsMax) || null
}

/**
 * Known scanners and robots; Apple's prefetch, which names itself a bare Mozilla/5.0; and what names itself nothing at all, which
 * no mail program and no browser does.
 */
export function isMachineAgent(userAgent: string | null): boolean {
  if (userAgent === null || userAgent === "Mozilla/5.0") return true
  return !isProxy(userAgent) && isbot(userAgent)
}
