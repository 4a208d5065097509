import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { domainExample, withRecords } from "@/components/domains/domain.fixture"
import { EvidenceTable } from "@/components/domains/evidence-table"
import { SentenceCard } from "@/components/domains/sentence-card"

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
