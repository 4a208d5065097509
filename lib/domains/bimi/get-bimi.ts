import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { findBimi } from "@/lib/domains/bimi/bimi-store"
import { bimiGates } from "@/lib/domains/bimi/gates"
import { judgeLogo } from "@/lib/domains/bimi/logo"
import { bimiLogoMissing } from "@/lib/domains/bimi/problems"
import { BimiState } from "@/lib/domains/bimi/schema"
import { domainMissing } from "@/lib/domains/problems"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { present } from "@/lib/platform/schema"

const path = { domainId: { prefix: "dom", missing: domainMissing } } as const

export const getBimi = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/bimi",
  operationId: "getBimi",
  tag: "Sending domains",
  summary: "Get BIMI checklist",
  description:
    "What decides whether mail programs show the logo: an enforced DMARC policy for the domain and for the organization's domain, looked up now, and the question of a certificate. Takes up to five seconds when name servers do not answer.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path,
  answers: [200, BimiState],
  problems: [projectMissing, domainMissing],
  additive: true,

  async run(scope, { path: { domainId } }, io) {
    const bimi = await findBimi(scope, domainId)
    if (!bimi) throw domainMissing()
    const verdict = bimi.svg === null ? null : judgeLogo(new TextEncoder().encode(bimi.svg))
    return {
      status: bimi.status,
      logoUrl: present(bimi.logoUrl),
      vmcUrl: present(bimi.vmcUrl),
      warnings: verdict?.ok ? verdict.warnings : [],
      gates: await bimiGates(io.dns, bimi.domain, bimi.vmcUrl),
    }
  },
})

export const getBimiLogo = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/bimi/logo",
  operationId: "getBimiLogo",
  tag: "Sending domains",
  summary: "Get checked BIMI logo",
  description: "The logo as it was checked, for a preview. If it is opened as a page, it cannot load or run anything.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path,
  answers: [200, undefined, "image/svg+xml"],
  problems: [projectMissing, domainMissing, bimiLogoMissing],
  additive: true,

  async run(scope, { path: { domainId } }) {
    const bimi = await findBimi(scope, domainId)
    if (!bimi) throw domainMissing()
    if (bimi.svg === null) throw bimiLogoMissing()
    return new Reply(200, { headers, stream: bimi.svg })
  },
})

const headers = {
  "Content-Type": "image/svg+xml",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "X-Content-Type-Options": "nosniff",
  "Content-Disposition": "inline",
}
