/** What a sentence of a provider means, where usual words do not tell. `sender`: it is about a sender's domain, not about us. */
export type ProviderReply = { says: RegExp; signal: "slow" | "block" | "sender"; minutes?: number }

/** How a mailbox provider likes to receive: fewer than its published limits for bulk senders. */
export type Provider = {
  name: string
  /** Every MX of its domains ends with one of these. */
  suffixes: readonly string[]
  connections: number
  mailsPerConnection: number
  /** All of its servers encrypt: a connection without TLS is not theirs. */
  isEncrypted: boolean
  /** Each of its customers has hosts with a name of their own: one that is away says nothing about the others. */
  hasOwnHosts?: true
  replies?: readonly ProviderReply[]
}

export const providers: readonly Provider[] = [
  {
    name: "Google",
    suffixes: ["google.com", "googlemail.com"],
    connections: 5,
    mailsPerConnection: 50,
    isEncrypted: true,
    replies: [
      { says: /\b(?:SPF|DKIM|URL)\b/, signal: "sender" },
      // With this code Google speaks of our reverse name, and RFC 7372 of SPF.
      { says: /\bunusual rate\b|\bUnsolicitedRateLimitError\b|\b4\.7\.23\b/i, signal: "slow" },
    ],
  },
  {
    name: "Outlook.com",
    suffixes: ["olc.protection.outlook.com"],
    connections: 5,
    mailsPerConnection: 50,
    isEncrypted: false,
    replies: [
      { says: /\bRP-00\d\b|\b4\.7\.65\d\b/, signal: "slow" },
      { says: /\bS3(?:140|150)\b|\bblock list\b/, signal: "block", minutes: 240 },
    ],
  },
  {
    name: "Microsoft 365",
    suffixes: ["mail.protection.outlook.com", "mx.microsoft"],
    connections: 5,
    mailsPerConnection: 50,
    isEncrypted: false,
    hasOwnHosts: true,
    replies: [
      { says: /\b4\.7\.(?:500|65\d)\b/, signal: "slow" },
      { says: /\b5\.7\.6[0-4]\d\b|\bbanned sending IP\b/i, signal: "block", minutes: 240 },
    ],
  },
  {
    name: "Yahoo",
    suffixes: ["yahoodns.net"],
    connections: 5,
    mailsPerConnection: 20,
    isEncrypted: false,
    replies: [
      { says: /\[TSS?\d\d\]/, signal: "slow" },
      { says: /\[BL2\d\]/, signal: "block", minutes: 240 },
    ],
  },
  { name: "Apple", suffixes: ["mail.icloud.com"], connections: 5, mailsPerConnection: 5, isEncrypted: false },
  {
    name: "GMX and WEB.DE",
    suffixes: ["gmx.net", "web.de"],
    connections: 4,
    mailsPerConnection: 20,
    isEncrypted: true,
  },
  {
    name: "Comcast",
    suffixes: ["comcast.net"],
    connections: 10,
    mailsPerConnection: 100,
    isEncrypted: true,
    replies: [
      { says: /\bRL0000\d\d\b/, signal: "slow" },
      { says: /\bBL0000\d\d\b/, signal: "block" },
    ],
  },
  { name: "Orange", suffixes: ["orange.fr"], connections: 2, mailsPerConnection: 100, isEncrypted: false },
  {
    name: "Mimecast",
    suffixes: ["mimecast.com"],
    connections: 5,
    mailsPerConnection: 100,
    isEncrypted: false,
    hasOwnHosts: true,
  },
  {
    name: "Proofpoint",
    suffixes: ["pphosted.com"],
    connections: 5,
    mailsPerConnection: 50,
    isEncrypted: false,
    hasOwnHosts: true,
    replies: [{ says: /\bipcheck\.proofpoint\.com\b/i, signal: "block" }],
  },
  {
    name: "QQ",
    suffixes: ["qq.com"],
    connections: 4,
    mailsPerConnection: 8,
    isEncrypted: true,
    replies: [{ says: /\bfrequency limited\b/i, signal: "slow" }],
  },
  {
    name: "NetEase",
    suffixes: ["netease.com", "163.com", "126.com"],
    connections: 4,
    mailsPerConnection: 7,
    isEncrypted: false,
    replies: [{ says: /\b(?:RP|MI):(?:QRC|DRC|CEL|FRL|TRC)\b|\bHL:IFC\b/, signal: "slow" }],
  },
]

/** All others. */
export const usualLimits = { connections: 10, mailsPerConnection: 100, isEncrypted: false }
