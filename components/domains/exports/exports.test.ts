import { describe, expect, it } from "vitest"
import { domainExample, withRecords } from "@/e2e/support/domains/sample-domain"
import { cannotSendYet } from "@/lib/domains/rules"
import { recordsAsText } from "@/components/domains/records"
import type { Domain } from "@/components/domains/queries"
import { cloudflareJson, quotedStrings, terraform } from "@/components/domains/exports"

const now = Date.parse("2026-11-21T14:00:00Z")
const longKey = `v=DKIM1; k=rsa; p=${"A".repeat(392)}`
const domain = withRecords(domainExample(), { dkim: { value: longKey } })

describe("strings of a TXT record", () => {
  it("hold at most 255 octets each, and together the whole text", () => {
    const strings = quotedStrings(longKey).match(/"[^"]*"/g) ?? []
    expect(strings.map((text) => text.length - 2)).toEqual([255, longKey.length - 255])
    expect(strings.map((text) => text.slice(1, -1)).join("")).toBe(longKey)
  })

  it("escape quotation marks and backslashes", () => {
    expect(quotedStrings('a"b\\c')).toBe('"a\\"b\\\\c"')
  })
})

describe("Cloudflare's API JSON", () => {
  it("creates every record, the alias outside of the proxy", () => {
    const { text, created, left } = cloudflareJson(domain, now)
    const { posts } = JSON.parse(text)
    expect({ created, left, postCount: posts.length }).toEqual({ created: 6, left: 0, postCount: 6 })
    expect(posts[0]).toMatchObject({
      type: "TXT",
      name: "mrk3f9qaa._domainkey.acme.com",
      ttl: 300,
      content: quotedStrings(longKey),
    })
    expect(posts[2]).toMatchObject({ type: "MX", content: "feedback.eu-west-1.mailroom.test", priority: 10 })
    expect(posts[5]).toMatchObject({ type: "CNAME", content: "track.mailroom.test", proxied: false })
    expect(posts[2].proxied).toBeUndefined()
  })

  it("leaves out what is already published, and says how many", () => {
    const partly = withRecords(domain, {
      mailFromMx: { status: "verified" },
      dmarcRecommended: { found: ["v=DMARC1; p=none"] },
    })
    const { text, created, left } = cloudflareJson(partly, now)
    expect({ created, left }).toEqual({ created: 4, left: 2 })
    expect(text).not.toMatch(/"MX"|DMARC1/)
  })
})

it("a name that an alias takes gets no record beside it", () => {
  const likelyCause = { code: "cname-in-the-way", message: "_dmarc.acme.com is an alias.", fix: "Delete the CNAME." }
  const aliased = withRecords(domain, { dmarcRecommended: { likelyCause } })
  expect(cloudflareJson(aliased, now)).toMatchObject({ created: 5, left: 1 })
  expect(terraform(aliased, "route53", now)).toContain(
    "# _dmarc.acme.com is an alias. Delete the CNAME.\n# A record already",
  )
})

describe("Terraform", () => {
  it("has a resource for each record at Cloudflare", () => {
    const text = terraform(domain, "cloudflare", now)
    expect(text.match(/^resource "cloudflare_dns_record" "acme_com_\w+" \{$/gm)).toHaveLength(6)
    expect(text).toContain(
      [
        'resource "cloudflare_dns_record" "acme_com_mail_from_spf" {',
        "  zone_id = var.cloudflare_zone_id",
        '  name    = "send.acme.com"',
        '  type    = "TXT"',
        '  content = "\\"v=spf1 include:spf.eu-west-1.mailroom.test ~all\\""',
        "  ttl     = 300",
        "}",
      ].join("\n"),
    )
    expect(text).toContain("  proxied = false")
  })

  it("splits long texts for Route 53 and puts the priority before the mail server", () => {
    const text = terraform(domain, "route53", now)
    expect(text).toContain(`records = ["${longKey.slice(0, 255)}\\"\\"${longKey.slice(255)}"]`)
    expect(text).toContain('records = ["10 feedback.eu-west-1.mailroom.test"]')
    expect(text).toContain("The id of the zone acme.com at Route 53.")
  })

  it("marks what is already published, escapes templates, and makes a name of any domain", () => {
    const odd = withRecords(domainExample({ domain: "3m-x.test" }), {
      dmarcRecommended: { value: "v=DMARC1; p=${x}", found: ["v=DMARC1; p=none"] },
    })
    const text = terraform(odd, "cloudflare", now)
    expect(text).toContain("# A record already exists at _dmarc.acme.com: import it instead of creating it.\nresource")
    expect(text).toContain('"_3m_x_test_dmarc"')
    expect(text).toContain("p=$${x}")
  })
})

it("a new key waits in all formats until the one it replaces need not stay", () => {
  const [active, idle] = domain.verificationRecords.dkim
  if (!active || !idle) throw new Error("two keys")
  const retired = { value: "v=DKIM1; k=rsa; p=OLD", keepUntil: "2026-11-28T14:00:00.000Z" }
  const rotated = {
    ...domain,
    verificationRecords: { ...domain.verificationRecords, dkim: [active, { ...idle, retired }] },
  }
  expect(cloudflareJson(rotated, now).created).toBe(5)
  expect(terraform(rotated, "route53", now)).not.toContain("dkim_b")
  expect(cloudflareJson(rotated, Date.parse(retired.keepUntil)).created).toBe(6)
})

it("every form of a real domain's records in an installation that cannot send says so, and of no other", () => {
  const captured: Domain = { ...domain, transport: "sandbox" }
  const forms = (one: Domain) => [
    recordsAsText(one, "relative"),
    terraform(one, "cloudflare", now),
    terraform(one, "route53", now),
  ]
  for (const text of forms(captured)) expect(text).toContain(cannotSendYet)
  expect(cloudflareJson(captured, now).text).toContain("Cannot send yet.")
  const verified: Domain = { ...captured, status: "verified", verifiedAt: "2026-11-21T14:00:00.000Z" }
  for (const other of [domain, { ...captured, domain: "acme.test" }, verified]) {
    for (const text of forms(other)) expect(text).not.toContain(cannotSendYet)
    expect(cloudflareJson(other, now).text).not.toContain("Cannot send yet.")
  }
})
