import { isIPv4 } from "node:net"
import { regionSpf, serviceDmarc, serviceSpf } from "@/lib/delivery/setup/rows"
import type { SetupContext } from "@/lib/delivery/setup/types"
import { feedbackHost, spfHost } from "@/lib/domains/records/records"
import { txtStrings } from "@/lib/domains/records/zone-file"

/** Seconds; short, so that a fix takes effect within minutes. */
const ttl = 300

/** All records that the operator publishes (RFC 1035 section 5), with the reverse names as comments: those are set elsewhere. */
export function operatorZoneFile({ regions, service, dkim }: SetupContext, serverAddresses: readonly string[]): string {
  const { serviceDomain, reportDomain } = service
  const hosts = regions.map(({ profile }) => feedbackHost(profile.region, service))
  const lines = [
    `; Records of ${serviceDomain}`,
    text(serviceDomain, serviceSpf(regions, service)),
    text(dkim.name, dkim.value),
    text(`_dmarc.${serviceDomain}`, serviceDmarc),
    ...hosts.map((host) => `${serviceDomain}. ${ttl} IN MX 10 ${host}.`),
    ...hosts.map((host) => `${reportDomain}. ${ttl} IN MX 10 ${host}.`),
    text(`*._report._dmarc.${reportDomain}`, "v=DMARC1;"),
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

function addresses(name: string, values: readonly string[]): string[] {
  if (values.length === 0) return [`; ${name}: A or AAAA with the address of this server`]
  return values.map((value) => `${name}. ${ttl} IN ${isIPv4(value) ? "A" : "AAAA"} ${value}`)
}

function text(name: string, value: string): string {
  return `${name}. ${ttl} IN TXT ${txtStrings(value)
    .map((piece) => `"${piece}"`)
    .join(" ")}`
}
