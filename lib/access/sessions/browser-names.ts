/** The browser and the system that a user agent names, as their makers write them. */
export type BrowserNames = { browser: string | undefined; system: string | undefined }

// In this order: most browsers also name those whose pages they want to get.
const browsers: [RegExp, string][] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, "Edge"],
  [/\b(?:OPR|OPiOS)\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
]
const systems: [RegExp, string][] = [
  [/\biPad\b/, "iPadOS"],
  [/\biPhone\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac(?:intosh| OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
]

export function browserOf(userAgent: string | null): BrowserNames {
  const [browser, system] = [browsers, systems].map(
    (known) => known.find(([named]) => named.test(userAgent ?? ""))?.[1],
  )
  return { browser, system }
}
