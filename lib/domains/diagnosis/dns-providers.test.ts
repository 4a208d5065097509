import { describe, expect, it } from "vitest"
import type { Dns, DnsAnswer } from "@/lib/platform/dns/dns"
import { dnsProviderOf, findHosting } from "@/lib/domains/diagnosis/hosting"

describe("the DNS provider", () => {
  it.each([
    ["Cloudflare", ["ada.ns.cloudflare.com", "rob.ns.cloudflare.com"]],
    ["Amazon Route 53", ["ns-1.awsdns-00.com", "ns-2000.awsdns-58.co.uk", "ns-600.awsdns-11.net"]],
    ["GoDaddy", ["ns07.domaincontrol.com", "NS08.domaincontrol.com."]],
    ["Namecheap", ["dns1.registrar-servers.com"]],
    ["Squarespace", ["ns01.squarespacedns.com"]],
    ["Google Cloud DNS", ["ns-cloud-a1.googledomains.com"]],
    ["DigitalOcean", ["ns1.digitalocean.com"]],
    ["Hetzner", ["helium.ns.hetzner.de", "hydrogen.ns.hetzner.com"]],
    ["OVHcloud", ["dns104.ovh.net", "ns104.ovh.net"]],
    ["Gandi", ["ns-103-a.gandi.net"]],
    ["Vercel", ["ns1.vercel-dns.com"]],
    ["Netlify or NS1", ["dns1.p04.nsone.net"]],
    ["Azure DNS", ["ns1-04.azure-dns.com", "ns2-04.azure-dns.net"]],
    ["IONOS", ["ns1045.ui-dns.biz", "ns1077.ui-dns.com"]],
    ["Porkbun", ["curitiba.ns.porkbun.com"]],
    ["DNSimple", ["ns1.dnsimple.com", "ns2.dnsimple-edge.net"]],
    ["Name.com", ["ns1abc.name.com"]],
  ])("%s is recognised by its name servers", (name, nameServers) => {
    expect(dnsProviderOf({ zone: "acme.com", nameServers })?.name).toBe(name)
  })

  it.each([
    ["an unknown server", ["ns1.acme.com"]],
    ["a name that only looks alike", ["ns.cloudflare.com.evil.com", "notlinode.com", "ns-1.awsdns-00.com.evil.org"]],
    ["two providers at once", ["ada.ns.cloudflare.com", "ns1.digitalocean.com"]],
    ["a known and an unknown server", ["ada.ns.cloudflare.com", "ns1.acme.com"]],
    ["no server", []],
  ])("%s is no provider", (_, nameServers) => {
    expect(dnsProviderOf({ zone: "acme.com", nameServers })).toBeNull()
  })

  it("has a page that opens at the zone, whatever the zone is called", () => {
    const { dnsPageUrl = "" } = dnsProviderOf({ zone: "acme.co.uk", nameServers: ["ns1.digitalocean.com"] }) ?? {}
    expect(dnsPageUrl).toBe("https://cloud.digitalocean.com/networking/domains/acme.co.uk")
  })
})

describe("where a domain is kept", () => {
  const found = (...values: string[]): DnsAnswer<string> => ({ kind: "found", values, askedServers: [] })
  const dnsOf = (answers: Record<string, DnsAnswer<string>>) => {
    const asked: string[] = []
    const ns = async (name: string) => {
      asked.push(name)
      return answers[name] ?? ({ kind: "missing", reason: "no-data", askedServers: [] } as const)
    }
    return { asked, dns: { ns } as unknown as Dns }
  }

  it("is the registrable domain for a subdomain without name servers of its own, and nothing above is asked", async () => {
    const { dns, asked } = dnsOf({ "acme.co.uk": found("b.example", "a.example"), "co.uk": found("nic.uk") })
    expect(await findHosting(dns, "news.mail.acme.co.uk")).toEqual({
      zone: "acme.co.uk",
      nameServers: ["a.example", "b.example"],
    })
    expect(asked).toEqual(["news.mail.acme.co.uk", "mail.acme.co.uk", "acme.co.uk"])
  })

  it("is the subdomain that is delegated", async () => {
    const { dns } = dnsOf({ "acme.com": found("a.example"), "mail.acme.com": found("c.example") })
    expect(await findHosting(dns, "mail.acme.com")).toEqual({ zone: "mail.acme.com", nameServers: ["c.example"] })
  })

  it("names name servers in a form that can be kept, whatever a zone holds", async () => {
    const { dns } = dnsOf({ "acme.com": found(`a\0${"😀".repeat(400)}.example`) })
    const [server = ""] = (await findHosting(dns, "acme.com"))?.nameServers ?? []
    expect(server.isWellFormed()).toBe(true)
    expect(server.includes("\0")).toBe(false)
    expect([...server]).toHaveLength(255)
  })

  it("is unknown when nothing is heard", async () => {
    expect(await findHosting(dnsOf({}).dns, "acme.com")).toBeNull()
    const error: DnsAnswer<string> = { kind: "error", reason: "timeout", askedServers: [] }
    const { dns } = dnsOf({ "mail.acme.com": error, "acme.com": found("a.example") })
    expect(await findHosting(dns, "mail.acme.com")).toBeNull()
  })
})
