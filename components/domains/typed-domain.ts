import { isKnownProvider, providerKeyOf, providerName } from "@/lib/metrics/provider-rules"

/** The host of what people paste from their browser: without scheme, credentials, port, path and query. Anything else stays. */
export function hostOfPasted(text: string): string {
  const trimmed = text.trim()
  const [, authority] =
    /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#\\\s]*)/i.exec(trimmed) ?? /^([^/?#\s]+\.[^/?#\s]+)[/?#]/.exec(trimmed) ?? []
  return authority ? authority.replace(/^.*@/, "").replace(/:\d*$/, "").replace(/\.$/, "") : trimmed
}

/** The mailbox provider whose domain this is: anybody can have an address there, and only the provider can publish its records. */
export function mailboxProviderOf(domain: string): string | undefined {
  if (!domain.includes(".")) return undefined
  const key = providerKeyOf(`x@${domain.trim().toLowerCase().replace(/\.$/, "")}`)
  return isKnownProvider(key) ? providerName(key) : undefined
}
