import type { Dns } from "@/lib/platform/dns/dns"
import { cutText } from "@/lib/platform/format"
import { registrableDomain } from "@/lib/addresses/registrable"

/** The zone that contains a domain's records, and the names of its name servers. */
export type Hosting = { zone: string; nameServers: string[] }

const nameServersKept = 8
const nameCharsMax = 255

/**
 * Where a domain's records are hosted: the nearest name at or above it, up to the registrable domain, that has name servers
 * of its own. Null when lookups fail.
 */
export async function findHosting(dns: Dns, domain: string): Promise<Hosting | null> {
  const candidates = namesUpTo(domain, registrableDomain(domain) ?? domain)
  const answers = await Promise.all(candidates.map((name) => dns.ns(name)))
  for (const [at, answer] of answers.entries()) {
    const zone = candidates[at]
    // A delegation whose lookup failed may be the nearest one: what is above it proves nothing.
    if (zone === undefined || answer.kind === "error") return null
    if (answer.kind === "found")
      return {
        zone,
        nameServers: answer.values
          .toSorted()
          .slice(0, nameServersKept)
          .map((name) => cutText(name, nameCharsMax)),
      }
  }
  return null
}

/** The name and its parents, down to and with the top one. */
function namesUpTo(name: string, top: string): string[] {
  if (name === top || !name.endsWith(`.${top}`)) return [name]
  return [name, ...namesUpTo(name.slice(name.indexOf(".") + 1), top)]
}

/** A DNS provider: where its customers edit records, and how its form differs from most. */
export type RecognizedProvider = { name: string; dnsPageUrl: string; note?: string }

/** Recognised when one of a zone's name servers is or lies under one of `servers`, or matches it. */
type KnownProvider = RecognizedProvider & { servers: (string | RegExp)[] }

/**
 * The DNS provider of a zone, by its name servers; null for one we do not know, and where two share the zone, because then
 * it is unclear which of them to open.
 */
export function dnsProviderOf({ zone, nameServers }: Hosting): RecognizedProvider | null {
  const keepers = new Set(nameServers.map((server) => known.find(({ servers }) => servers.some(isAt(server)))))
  const [keeper] = keepers
  if (!keeper || keepers.size > 1) return null
  const { name, dnsPageUrl, note } = keeper
  return {
    name,
    dnsPageUrl: dnsPageUrl.replaceAll("{domain}", encodeURIComponent(zone)),
    ...(note ? { note } : {}),
  }
}

function isAt(server: string) {
  const host = server.toLowerCase().replace(/\.$/, "")
  return (where: string | RegExp) =>
    typeof where === "string" ? host === where || host.endsWith(`.${where}`) : where.test(host)
}

const dottedTargets = "End the values of MX and CNAME records with a dot, or it adds your zone to them."
const quotedTexts =
  'It wants TXT values in quotation marks, long ones in several: take those from the zone file under "Copy all".'

/** `{domain}` in a page's address is replaced with the zone. Words in quotation marks are what the provider's form says. */
const known: KnownProvider[] = [
  {
    name: "Cloudflare",
    servers: ["ns.cloudflare.com"],
    dnsPageUrl: "https://dash.cloudflare.com/?to=/:account/{domain}/dns/records",
    note: 'Set the proxy of the tracking host to "DNS only".',
  },
  {
    name: "Amazon Route 53",
    servers: [/^ns-\d+\.awsdns-\d+\.(com|net|org|co\.uk)$/],
    dnsPageUrl: "https://console.aws.amazon.com/route53/v2/hostedzones",
    note: quotedTexts,
  },
  { name: "GoDaddy", servers: ["domaincontrol.com"], dnsPageUrl: "https://dcc.godaddy.com/manage/{domain}/dns" },
  {
    name: "Namecheap",
    servers: ["registrar-servers.com", "namecheaphosting.com"],
    dnsPageUrl: "https://ap.www.namecheap.com/domains/domaincontrolpanel/{domain}/advancedns",
    note: 'Choose "Custom MX" under "Mail Settings" before you add the MX record.',
  },
  {
    name: "Squarespace",
    servers: ["squarespacedns.com"],
    dnsPageUrl: "https://account.squarespace.com/domains/managed/{domain}/dns/dns-settings",
  },
  {
    name: "Google Cloud DNS",
    servers: ["googledomains.com"],
    dnsPageUrl: "https://console.cloud.google.com/net-services/dns/zones",
    note: "A domain that was bought at Google Domains is edited at Squarespace instead.",
  },
  {
    name: "DigitalOcean",
    servers: ["digitalocean.com"],
    dnsPageUrl: "https://cloud.digitalocean.com/networking/domains/{domain}",
    note: dottedTargets,
  },
  {
    name: "Hetzner",
    servers: ["ns.hetzner.com", "ns.hetzner.de", "first-ns.de", "second-ns.de", "second-ns.com"],
    dnsPageUrl: "https://console.hetzner.com/",
    note: dottedTargets,
  },
  {
    name: "OVHcloud",
    servers: [/^d?ns\d+\.ovh\.(net|ca|us)$/, "anycast.me"],
    dnsPageUrl: "https://www.ovh.com/manager/#/web/domain/{domain}/zone",
    note: dottedTargets,
  },
  {
    name: "Gandi",
    servers: ["gandi.net"],
    dnsPageUrl: "https://admin.gandi.net/domain",
    note: dottedTargets,
  },
  { name: "Vercel", servers: ["vercel-dns.com", "zeit-world.com"], dnsPageUrl: "https://vercel.com/dashboard/domains" },
  {
    name: "Netlify or NS1",
    servers: ["nsone.net"],
    dnsPageUrl: "https://app.netlify.com/",
    note: "Both run on the same servers; the button leads to Netlify.",
  },
  {
    name: "Azure DNS",
    servers: [/^ns\d-\d+\.azure-dns\.(com|net|org|info)$/],
    dnsPageUrl: "https://portal.azure.com/#browse/Microsoft.Network%2FdnsZones",
  },
  {
    name: "IONOS",
    servers: [/\.ui-dns\.(com|org|de|biz)$/, "1and1.com"],
    dnsPageUrl: "https://my.ionos.com/domain-dns-settings/{domain}",
  },
  { name: "Porkbun", servers: ["porkbun.com"], dnsPageUrl: "https://porkbun.com/account/domainsSpeedy" },
  {
    name: "DNSimple",
    servers: ["dnsimple.com", "dnsimple-edge.net", "dnsimple-edge.org"],
    dnsPageUrl: "https://dnsimple.com/dashboard",
  },
  { name: "Name.com", servers: ["name.com"], dnsPageUrl: "https://www.name.com/account/domain/details/{domain}#dns" },
  { name: "Akamai (Linode)", servers: ["linode.com"], dnsPageUrl: "https://cloud.linode.com/domains" },
  { name: "Vultr", servers: ["vultr.com"], dnsPageUrl: "https://my.vultr.com/dns/" },
  { name: "Hostinger", servers: ["dns-parking.com"], dnsPageUrl: "https://hpanel.hostinger.com/domain/{domain}/dns" },
  { name: "Wix", servers: ["wixdns.net"], dnsPageUrl: "https://manage.wix.com/account/domains" },
  { name: "Hover", servers: ["hover.com"], dnsPageUrl: "https://www.hover.com/control_panel/domain/{domain}/dns" },
  { name: "DreamHost", servers: ["dreamhost.com"], dnsPageUrl: "https://panel.dreamhost.com/" },
  { name: "bunny.net", servers: ["bunny.net"], dnsPageUrl: "https://dash.bunny.net/dns" },
  { name: "deSEC", servers: [/^ns\d\.desec\.(io|org)$/], dnsPageUrl: "https://desec.io/domains/{domain}" },
  { name: "INWX", servers: [/\.inwx\.(de|com|eu|net)$/], dnsPageUrl: "https://www.inwx.com/en/nameserver" },
  { name: "STRATO", servers: ["rzone.de"], dnsPageUrl: "https://www.strato.de/apps/CustomerService" },
  { name: "Infomaniak", servers: ["infomaniak.ch", "infomaniak.com"], dnsPageUrl: "https://manager.infomaniak.com/" },
  { name: "TransIP", servers: [/^ns\d\.transip\.(net|nl|eu)$/], dnsPageUrl: "https://www.transip.eu/cp/" },
  { name: "Dynadot", servers: ["dynadot.com"], dnsPageUrl: "https://www.dynadot.com/account/domain/name/list.html" },
]
