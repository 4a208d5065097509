import { isbot } from "isbot"

const userAgentCharsMax = 300

/** A user agent as it is stored: printable, and cut. */
export function storedAgent(header: string | undefined): string | null {
  const text = (header ?? "").replace(/[^\x20-\x7e]+/g, " ").trim()
  return text.slice(0, userAgentCharsMax) || null
}

const proxies = /GoogleImageProxy|YahooMailProxy/

/** Google and Yahoo load images through proxies, when a person opens the email. */
export function isProxy(userAgent: string | null): boolean {
  return userAgent !== null && proxies.test(userAgent)
}

/**
 * Known scanners and robots; Apple's prefetch, which names itself a bare Mozilla/5.0; and what names itself nothing at all, which
 * no mail program and no browser does.
 */
export function isMachineAgent(userAgent: string | null): boolean {
  if (userAgent === null || userAgent === "Mozilla/5.0") return true
  return !isProxy(userAgent) && isbot(userAgent)
}

export type Device = { mailClient?: string; deviceType?: string; os?: string }

/** First match counts: the names that others carry as well come last. */
const mailClients: readonly [RegExp, string][] = [
  [/GoogleImageProxy/, "Gmail"],
  [/YahooMailProxy/, "Yahoo Mail"],
  [/Thunderbird/, "Thunderbird"],
  [/Outlook-iOS|Outlook-Android|Microsoft Outlook|MSOffice/, "Outlook"],
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/AppleWebKit.* Safari\//, "Safari"],
  [/AppleWebKit/, "Apple Mail"],
]

const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad|iPod/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
]

/** What a user agent tells about the reader's program and device. A proxy hides the device. */
export function deviceOf(userAgent: string | null): Device {
  if (userAgent === null) return {}
  const mailClient = mailClients.find(([pattern]) => pattern.test(userAgent))?.[1]
  const named = mailClient === undefined ? {} : { mailClient }
  if (isProxy(userAgent)) return named
  const os = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  return { ...named, ...(os === undefined ? {} : { os, deviceType: deviceTypeOf(userAgent, os) }) }
}

function deviceTypeOf(userAgent: string, os: string): string {
  if (/iPad|Tablet/.test(userAgent) || (os === "Android" && !userAgent.includes("Mobile"))) return "tablet"
  return os === "iOS" || os === "Android" ? "mobile" : "desktop"
}
