import { isIP, isIPv4 } from "node:net"
import { regionSpf, serviceDmarc, serviceSpf } from "@/lib/delivery/setup/rows"
import type { SetupContext } from "@/lib/delivery/setup/types"
import { feedbackHost, spfHost, trackingTarget } from "@/lib/domains/records/records"
import { txtStrings } from "@/lib/domains/records/zone-file"

/** Seconds; short, so that a fix takes effect within minutes. */
const ttl = 300

/**
 * All records that the operator publishes (RFC 1035 section 5), with the reverse names as comments: those are set elsewhere. The
 * hosts that lead to this server have the addresses of its public origin; where those are not public, the ones that it sends from.
 */
export function operatorZoneFile(context: SetupContext, originAddresses: readonly string[]): string {
  const { regions, service, dkim, origin, reach } = context
  const { serviceDomain, reportDomain } = service
  const known = originAddresses.filter((address) => reach(address) !== "refused")
  const sent = regions
    .flatMap(({ sources }) => sources.map(({ address }) => address))
    .filter((address) => address !== "")
  const serverAddresses = known.length > 0 ? known : [...new Set(sent)]
  const originHost = new URL(origin).hostname
  const hosts = regions.map(({ profile }) => feedbackHost(profile.region, service))
  const lines = [
    `; Records of ${serviceDomain}`,
    text(serviceDomain, serviceSpf(regions, service)),
    text(dkim.name, dkim.value),
    text(`_dmarc.${serviceDomain}`, serviceDmarc),
    ...hosts.map((host) => `${serviceDomain}. ${ttl} IN MX 10 ${host}.`),
    ...hosts.map((host) => `${reportDomain}. ${ttl} IN MX 10 ${host}.`),
    text(`*._report._dmarc.${reportDomain}`, "v=DMARC1;"),
    ...(isPublicName(originHost) ? ofOrigin(originHost, trackingTarget(service), serverAddresses) : []),
  ]
  for (const { profile, sources } of regions) {
    const own = sources.filter(({ address }) => address !== "")
    lines.push("", `; ${profile.region}`, ...addresses(feedbackHost(profile.region, service), serverAddresses))
    if (profile.transport === "ses") continue
    if (profile.transport !== "direct") {
      lines.push(`; ${spfHost(profile.region, service)}: TXT with what your relay's documentation says about SPF`)
      continue
    }
    lines.push(text(spfHost(profile.region, service), regionSpf(sources)))
    for (const ehloName of new Set(sources.map((source) => source.ehloName))) {
      const named = own.filter((source) => source.ehloName === ehloName).map(({ address }) => address)
      lines.push(...addresses(ehloName, named), text(ehloName, "v=spf1 a -all"))
    }
    lines.push(...own.map(({ address, ehloName }) => `; at your hoster: reverse DNS of ${address} is ${ehloName}`))
  }
  return [...lines, ""].join("\n")
}

function isPublicName(host: string): boolean {
  return isIP(host) === 0 && host.includes(".") && !host.endsWith(".localhost")
}

/** The dashboard's host, and the one that links of tracked email lead to by the record of their domain. */
function ofOrigin(host: string, trackHost: string, serverAddresses: readonly string[]): string[] {
  const own = addresses(host, serverAddresses)
  return ["", "; the dashboard, and tracked links", ...own, `${trackHost}. ${ttl} IN CNAME ${host}.`]
}

function addresses(name: string, values: readonly string[]): string[] {
  if (values.length === 0) return [`; ${name}: A or AAAA with the address of this server`]
  return values.map((value) => `${name}. ${ttl} IN ${isIPv4(value) ? "A" : "AAAA"} ${value}`)
}

function text(name: string, value: string): string {
  return `${name}. ${ttl} IN TXT ${txtStrings(value)
    .map((piece) => `"${piece}"`)
    .join(" ")}`
}
