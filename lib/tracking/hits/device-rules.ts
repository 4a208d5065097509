const proxies = /GoogleImageProxy|YahooMailProxy/

/** Google and Yahoo load images through proxies, when a person opens the email. */
export function isProxy(userAgent: string | null): boolean {
  return userAgent !== null && proxies.test(userAgent)
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
