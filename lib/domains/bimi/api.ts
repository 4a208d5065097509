import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { findBimi, saveBimi, saveBimiCheck } from "@/lib/domains/bimi/data"
import { afterLookup, bimiGates } from "@/lib/domains/bimi/rules"
import { fetchLogo, judgeLogo } from "@/lib/domains/bimi/logo"
import { BimiChange, bimiLogoMissing, BimiState } from "@/lib/domains/bimi/schema"
import { checkMaxMs, expectationOf } from "@/lib/domains/check/check"
import { compareOne } from "@/lib/domains/check/compare"
import * as checks from "@/lib/domains/check/data"
import { presentable } from "@/lib/domains/check/findings"
import * as domains from "@/lib/domains/data"
import { Domain, domainMissing } from "@/lib/domains/schema"
import { withinMs } from "@/lib/platform/dns/dns"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { judgeUrl, outboundGuard } from "@/lib/platform/outbound/target"
import { present } from "@/lib/platform/schema"

const domainPath = { domainId: { prefix: "dom", missing: domainMissing } } as const

const logoHeaders = {
  "Content-Type": "image/svg+xml",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "X-Content-Type-Options": "nosniff",
  "Content-Disposition": "inline",
}

export const getBimi = endpoint({
  route: "GET /v1/projects/{projectId}/domains/{domainId}/bimi",
  operationId: "getBimi",
  tag: "Sending domains",
  summary: "Get BIMI checklist",
  description:
    "What decides whether mail programs show the logo: an enforced DMARC policy for the domain and for the organization's domain, looked up now, and the question of a certificate. Takes up to five seconds when name servers do not answer.",
  access: allow("domains:read"),
  bucket: buckets.domains,
  path: domainPath,
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
  path: domainPath,
  answers: [200, undefined, "image/svg+xml"],
  problems: [projectMissing, domainMissing, bimiLogoMissing],
  additive: true,

  async run(scope, { path: { domainId } }) {
    const bimi = await findBimi(scope, domainId)
    if (!bimi) throw domainMissing()
    if (bimi.svg === null) throw bimiLogoMissing()
    return new Reply(200, { headers: logoHeaders, stream: bimi.svg })
  },
})

export const updateBimi = endpoint({
  route: "PATCH /v1/projects/{projectId}/domains/{domainId}/bimi",
  operationId: "updateBimi",
  tag: "Sending domains",
  summary: "Set BIMI configuration",
  description:
    'Sets the logo that mail programs show beside mail from the domain. It is requested and checked now: an https URL without redirects, SVG Tiny PS (`version="1.2"`, `baseProfile="tiny-ps"`, a title, square), at most 32 KiB unpacked, without scripts, styles, images, animations or external references. A logo with anything that is not allowed is rejected, never changed. `verificationRecords.bimi` is the record to publish; `bimiStatus` is `pending` until it is found. Omitted fields are unchanged.',
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: domainPath,
  body: BimiChange,
  answers: [200, Domain],
  problems: [requestInvalid, projectMissing, domainMissing],

  async run(scope, { path, body }, io) {
    const { domainId } = path
    if (body.logoUrl === undefined && body.vmcUrl === undefined)
      throw requestInvalid("Give logoUrl, vmcUrl or both.", {
        errors: [{ pointer: "", detail: "Has nothing to change." }],
      })
    const before = await findBimi(scope, domainId)
    if (!before) throw domainMissing()
    const logoUrl = body.logoUrl === undefined ? before.logoUrl : addressOf("/logoUrl", body.logoUrl)
    const vmcUrl = body.vmcUrl === undefined ? before.vmcUrl : addressOf("/vmcUrl", body.vmcUrl)
    if (logoUrl === null && body.vmcUrl) throw wrong("/vmcUrl", "A certificate needs a logo. Set logoUrl as well.")
    const verdict = body.logoUrl && logoUrl ? await fetchLogo(logoUrl, io.dns) : null
    if (verdict && !verdict.ok) throw wrong("/logoUrl", verdict.reason)
    const svg = verdict ? verdict.svg : logoUrl === null ? null : before.svg
    if (!(await saveBimi(scope, domainId, { logoUrl, vmcUrl: logoUrl === null ? null : vmcUrl, svg })))
      throw domainMissing()
    const domain = await domains.findDomain(scope, domainId)
    if (!domain) throw domainMissing()
    return domain
  },
})

export const verifyBimi = endpoint({
  route: "POST /v1/projects/{projectId}/domains/{domainId}/bimi/verify",
  operationId: "verifyBimi",
  tag: "Sending domains",
  summary: "Check BIMI record",
  description:
    "Looks up the record at `default._bimi` at the domain's own name servers and responds with the result in `bimiStatus`: 200 also when it is not found. A lookup that fails changes nothing.",
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: domainPath,
  answers: [200, Domain],
  problems: [projectMissing, domainMissing],

  async run(scope, { path }, io) {
    const watched = await checks.watchedDomain(scope, path.domainId, io.clock.now())
    if (!watched) throw domainMissing()
    const expected = expectationOf(watched)
    if (expected.bimi) {
      const finding = await compareOne(withinMs(io.dns, checkMaxMs), expected, "bimi")
      await saveBimiCheck(scope, watched, afterLookup(watched, presentable(finding), io.clock.now()))
    }
    const domain = await domains.findDomain(scope, path.domainId, io.clock.now())
    if (!domain) throw domainMissing()
    return domain
  },
})

export const bimiOperations = [verifyBimi, updateBimi, getBimi, getBimiLogo] as const

/** The URL as the record holds it; a semicolon would end its tag. */
function addressOf(pointer: string, text: string | null): string | null {
  if (text === null) return null
  const verdict = judgeUrl(text, outboundGuard())
  if (!verdict.ok) throw wrong(pointer, verdict.reason)
  return verdict.url.href.replaceAll(";", "%3B").replaceAll(",", "%2C")
}

function wrong(pointer: string, detail: string) {
  return requestInvalid(`${pointer}: ${detail}`, { errors: [{ pointer, detail }] })
}
