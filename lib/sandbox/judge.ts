import { DocumentRefused, readApart } from "@/lib/platform/documents/read-apart"
import { areaSettings } from "@/lib/platform/env/env"
import { sandboxZones, type DnsSettings } from "@/lib/regions/io"
import { regionSettings } from "@/lib/regions/settings"
import type { Verdicts } from "@/lib/sandbox/schema"
import {
  arrivedMail,
  type ReceivedMessage,
  type ReceiverServers,
  resolverAmong,
  type ResolveRecords,
  unjudged,
  verdictsOn,
} from "@/lib/sandbox/verdicts"

/** Longer headers are not judged. */
const headerBytesMax = 64 * 1024

/**
 * What a receiver makes of a mail: DKIM (RFC 6376), SPF (RFC 7208) and DMARC (RFC 9989). A mail that is not plain is judged in a
 * process of its own, which asks the DNS of this installation; one that takes it too much time proves nothing. Never throws.
 */
export async function judgeMessage(message: ReceivedMessage, resolver: ResolveRecords): Promise<Verdicts> {
  const header = headerOf(message.raw)
  if (header === null) return unjudged("permerror", "The header is longer than 64 kB.")
  return isPlain(message.raw, header) ? verdictsOn(message, resolver) : judgeApart(message, receiverServers())
}

/** Never throws. */
export async function judgeApart(message: ReceivedMessage, servers: ReceiverServers): Promise<Verdicts> {
  try {
    return await readApart<Verdicts>("arrived-mail", arrivedMail(message, servers), message.owner)
  } catch (error) {
    const isTooMuch = error instanceof DocumentRefused
    return unjudged(isTooMuch ? "permerror" : "temperror", isTooMuch ? "Judging took too long." : String(error))
  }
}

/** Up to the first empty line; null if that is too far. */
function headerOf(raw: Buffer): string | null {
  const start = raw.toString("latin1", 0, headerBytesMax)
  const end = /\n\r?\n/.exec(start)
  if (end) return start.slice(0, end.index)
  return raw.length <= headerBytesMax ? start : null
}

/** Within these limits mailauth takes at most 150 ms, and an ordinary mail some milliseconds. What Microsoft adds is long. */
const plain = { bytes: 256 * 1024, fields: 100, fieldChars: 2_000, addedChars: 6_000, signatures: 6, oddLines: 1_000 }

function isLong(field: string): boolean {
  return field.length > (/^x-/i.test(field) ? plain.addedChars : plain.fieldChars)
}

function isPlain(raw: Buffer, header: string): boolean {
  if (raw.length > plain.bytes) return false
  const fields = header.split(/\r?\n(?![ \t])/)
  if (fields.length > plain.fields || fields.some(isLong)) return false
  if (fields.filter((field) => /^(?:dkim-signature|arc-)/i.test(field)).length > plain.signatures) return false
  const text = raw.toString("latin1")
  // Lines that end with a blank, or without a carriage return.
  const oddLines = text.match(/(?<!\r)\n|[ \t]\r\n/g) ?? []
  return oddLines.length <= plain.oddLines && !/[;:\s]{100}/.test(text)
}

/** That of this installation's receivers. */
export const receivingDns = areaSettings((_, env) => receiverResolver({ ...env, ...regionSettings() }))

const receiverServers = areaSettings((_, env) => serversOf({ ...env, ...regionSettings() }))

/**
 * The DNS that the sandbox's receiver believes: DNS_SERVERS for everything if set, else the sandbox's own zones at its
 * name server and the rest where this machine asks.
 */
export function receiverResolver(settings: DnsSettings): ResolveRecords {
  return resolverAmong(serversOf(settings))
}

function serversOf(settings: DnsSettings): ReceiverServers {
  return {
    zones: settings.dnsServers.length ? [] : sandboxZones(settings),
    own: [{ host: "127.0.0.1", port: settings.sandboxDnsPort }],
    other: settings.dnsServers,
  }
}
