/**
 * Mailbox providers by the domain of an address, without a lookup: hosted domains of companies keep their own name, because
 * MX records would have to be asked for each recipient and change.
 */
const providers = {
  gmail: { name: "Gmail", domains: ["gmail.com", "googlemail.com"], reportsComplaints: false },
  microsoft: {
    name: "Outlook and Hotmail",
    domains: [
      ...["outlook.com", "hotmail.com", "live.com", "msn.com", "passport.com"],
      ...[
        "outlook.de",
        "outlook.fr",
        "outlook.es",
        "outlook.it",
        "outlook.at",
        "outlook.dk",
        "outlook.ie",
        "outlook.jp",
      ],
      ...[
        "hotmail.de",
        "hotmail.fr",
        "hotmail.es",
        "hotmail.it",
        "hotmail.co.uk",
        "hotmail.be",
        "hotmail.nl",
        "hotmail.se",
      ],
      ...[
        "live.de",
        "live.fr",
        "live.it",
        "live.nl",
        "live.se",
        "live.dk",
        "live.be",
        "live.co.uk",
        "live.ca",
        "live.com.au",
      ],
    ],
    reportsComplaints: true,
  },
  yahoo: {
    name: "Yahoo and AOL",
    domains: [
      ...["yahoo.com", "ymail.com", "rocketmail.com", "myyahoo.com", "aol.com", "aim.com", "aol.de", "aol.co.uk"],
      ...[
        "yahoo.de",
        "yahoo.fr",
        "yahoo.it",
        "yahoo.es",
        "yahoo.co.uk",
        "yahoo.ca",
        "yahoo.ie",
        "yahoo.in",
        "yahoo.co.in",
      ],
      ...[
        "yahoo.com.br",
        "yahoo.com.mx",
        "yahoo.com.ar",
        "yahoo.com.au",
        "yahoo.com.tr",
        "yahoo.com.tw",
        "yahoo.com.hk",
      ],
      ...[
        "yahoo.gr",
        "yahoo.pl",
        "yahoo.ro",
        "yahoo.se",
        "yahoo.no",
        "yahoo.dk",
        "yahoo.co.id",
        "yahoo.com.sg",
        "yahoo.com.ph",
      ],
    ],
    reportsComplaints: true,
  },
  apple: {
    name: "iCloud",
    domains: ["icloud.com", "me.com", "mac.com", "privaterelay.appleid.com"],
    reportsComplaints: false,
  },
  gmx: {
    name: "GMX and WEB.DE",
    domains: [
      "gmx.de",
      "gmx.net",
      "gmx.at",
      "gmx.ch",
      "gmx.com",
      "gmx.eu",
      "gmx.org",
      "gmx.fr",
      "gmx.co.uk",
      "gmx.us",
      "web.de",
      "email.de",
    ],
    reportsComplaints: false,
  },
} as const

export type ProviderKey = keyof typeof providers

const byDomain = new Map<string, ProviderKey>(
  Object.entries(providers).flatMap(([key, { domains }]) =>
    domains.map((domain) => [domain, key as ProviderKey] as const),
  ),
)

/** The key under which a recipient's provider is counted: a known provider, or the domain itself. */
export function providerKeyOf(address: string): string {
  const domain = addressDomain(address)
  return byDomain.get(domain) ?? domain
}

/** Known providers have a row of their own on every day, however many other domains there are. */
export function isKnownProvider(key: string): key is ProviderKey {
  return Object.hasOwn(providers, key)
}

export function providerName(key: string): string {
  return isKnownProvider(key) ? providers[key].name : key
}

/** Undefined if it is not known; complaints are then shown as counted. */
export function reportsComplaints(key: string): boolean | undefined {
  return isKnownProvider(key) ? providers[key].reportsComplaints : undefined
}

/** The domain of an address or of a From field, in lower case. */
export function addressDomain(address: string): string {
  return address
    .slice(address.lastIndexOf("@") + 1)
    .replace(">", "")
    .trim()
    .toLowerCase()
}
