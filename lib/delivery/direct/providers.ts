/** How a mailbox provider likes to receive: fewer than its published limits for bulk senders. */
export type Provider = {
  name: string
  /** Every MX of its domains ends with one of these. */
  suffixes: readonly string[]
  connections: number
  mailsPerConnection: number
  /** All of its servers encrypt: a connection without TLS is not theirs. */
  isEncrypted: boolean
}

export const providers: readonly Provider[] = [
  {
    name: "Google",
    suffixes: ["google.com", "googlemail.com"],
    connections: 5,
    mailsPerConnection: 50,
    isEncrypted: true,
  },
  {
    name: "Outlook.com",
    suffixes: ["olc.protection.outlook.com"],
    connections: 5,
    mailsPerConnection: 50,
    isEncrypted: false,
  },
  {
    name: "Microsoft 365",
    suffixes: ["mail.protection.outlook.com", "mx.microsoft"],
    connections: 5,
    mailsPerConnection: 50,
    isEncrypted: false,
  },
  { name: "Yahoo", suffixes: ["yahoodns.net"], connections: 5, mailsPerConnection: 20, isEncrypted: false },
  { name: "Apple", suffixes: ["mail.icloud.com"], connections: 5, mailsPerConnection: 5, isEncrypted: false },
  {
    name: "GMX and WEB.DE",
    suffixes: ["gmx.net", "web.de"],
    connections: 4,
    mailsPerConnection: 20,
    isEncrypted: true,
  },
  { name: "Comcast", suffixes: ["comcast.net"], connections: 10, mailsPerConnection: 100, isEncrypted: true },
  { name: "Orange", suffixes: ["orange.fr"], connections: 2, mailsPerConnection: 100, isEncrypted: false },
  { name: "Mimecast", suffixes: ["mimecast.com"], connections: 5, mailsPerConnection: 100, isEncrypted: false },
  { name: "Proofpoint", suffixes: ["pphosted.com"], connections: 5, mailsPerConnection: 50, isEncrypted: false },
  { name: "QQ", suffixes: ["qq.com"], connections: 4, mailsPerConnection: 8, isEncrypted: true },
  {
    name: "NetEase",
    suffixes: ["netease.com", "163.com", "126.com"],
    connections: 4,
    mailsPerConnection: 7,
    isEncrypted: false,
  },
]

/** All others. */
export const usualLimits = { connections: 10, mailsPerConnection: 100, isEncrypted: false }
