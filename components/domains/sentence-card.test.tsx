import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { domainExample, withRecords } from "@/e2e/support/domains/sample-domain"
import { EvidenceTable } from "@/components/domains/record-diff"
import { SentenceCard } from "@/components/domains/sentence-card"
import { SentenceCopy, StopsSending } from "@/components/domains/missing-records"

const twice = (host: string) => ({
  likelyCause: {
    code: "doubled-zone",
    message: "Your DNS provider added the domain again.",
    fix: `Enter ${host} as the host.`,
    foundAt: `${host}.acme.com.acme.com`,
  },
})

it("a mistake that records share is said once, with where each was found and the host to enter", () => {
  const domain = withRecords(domainExample(), { mailFromMx: twice("send"), mailFromSpf: twice("send") })
  const html = renderToStaticMarkup(<EvidenceTable domain={domain} />)
  expect(html).toContain("Where the records were found")
  expect(html.match(/>acme\.com\.<\/mark>acme\.com/g)).toHaveLength(2)
  expect(html).toContain('aria-label="Copy host to enter for MAIL FROM SPF"')
  expect(html).not.toContain("DKIM key")
})

it("without one the four parts of the domain are shown, each with its state", () => {
  const html = renderToStaticMarkup(<SentenceCard domain={domainExample()} />)
  expect(html).not.toContain("Where the records were found")
  for (const part of ["DKIM", "MAIL FROM", "DMARC", "Tracking"]) expect(html).toContain(`>${part}</b>`)
})

it("the record that the sentence names is copied from beside it", () => {
  const domain = withRecords(domainExample(), { mailFromSpf: twice("send") })
  const html = renderToStaticMarkup(<SentenceCopy domain={domain} named="mail-from-spf" />)
  expect(html).toMatch(/MAIL FROM SPF.*host.*<code title="send".*Copy host/)
  const retired = { value: "v=DKIM1; p=old", keepUntil: "2026-11-28T00:00:00.000Z" }
  const [active, standby] = domain.verificationRecords.dkim
  if (!active || !standby) throw new Error("The example has two keys.")
  domain.verificationRecords.dkim = [active, { ...standby, retired }]
  expect(renderToStaticMarkup(<SentenceCopy domain={domain} named="dkim-b" />)).toBe("")
})

it("a degraded domain says when it stops sending", () => {
  const until = new Date(Date.now() + 51.5 * 3_600_000).toISOString()
  expect(renderToStaticMarkup(<StopsSending until={until} />)).toMatch(
    /The domain stops sending <b>on \d+ \w+ \d{4}.* UTC<\/b>, in 51 hours\./,
  )
})
