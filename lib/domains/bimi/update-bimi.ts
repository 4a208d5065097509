import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { findBimi, saveBimi } from "@/lib/domains/bimi/bimi-store"
import { fetchLogo } from "@/lib/domains/bimi/fetch-logo"
import { BimiChange } from "@/lib/domains/bimi/schema"
import { domainMissing } from "@/lib/domains/problems"
import { Domain } from "@/lib/domains/schema"
import * as domains from "@/lib/domains/store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { judgeUrl, outboundGuard } from "@/lib/platform/outbound/url"

export const updateBimi = endpoint({
  route: "PATCH /v1/projects/{projectId}/domains/{domainId}/bimi",
  operationId: "updateBimi",
  tag: "Sending domains",
  summary: "Set BIMI configuration",
  description:
    'Sets the logo that mail programs show beside mail from the domain. It is requested and checked now: an https URL without redirects, SVG Tiny PS (`version="1.2"`, `baseProfile="tiny-ps"`, a title, square), at most 32 KiB unpacked, without scripts, styles, images, animations or external references. A logo with anything that is not allowed is rejected, never changed. `verificationRecords.bimi` is the record to publish; `bimiStatus` is `pending` until it is found. Omitted fields are unchanged.',
  access: allow("domains:write"),
  bucket: buckets.domains,
  path: { domainId: { prefix: "dom", missing: domainMissing } },
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
