import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { parseAddress } from "@/lib/domains/address"
import { findSuppressed } from "@/lib/emails/recipients-store"
import { CheckedRecipients, RecipientsToCheck } from "@/lib/emails/schema"
import { isHeldBySimulator } from "@/lib/emails/simulator"
import { endpoint } from "@/lib/platform/endpoint"
import { requestInvalid } from "@/lib/platform/problems"

export const checkRecipients = endpoint({
  route: "POST /v1/projects/{projectId}/emails/check-recipients",
  operationId: "checkRecipients",
  tag: "Projects",
  summary: "Check recipients before a send",
  description:
    "Says of each address what a send would make of it now, in the order of the request: `sendable`, `suppressed` with the reason of the suppression, or `invalid` with what is wrong. Nothing is sent, kept or counted.",
  access: allow("emails:send"),
  bucket: null,
  body: RecipientsToCheck,
  answers: [200, CheckedRecipients],
  problems: [requestInvalid, projectMissing],
  additive: true,

  async run(scope, { body }) {
    const read = body.addresses.map((address) => ({ address, parsed: parseAddress(address) }))
    const suppressed = await findSuppressed(scope, read.flatMap(({ parsed }) => (parsed.ok ? parsed.canonical : [])))
    return {
      data: read.map(({ address, parsed }) => {
        if (!parsed.ok) return { address, state: "invalid" as const, reason: parsed.reason }
        const reason = isHeldBySimulator(parsed.canonical) ? "simulator" : suppressed.get(parsed.canonical)
        return reason === undefined ? { address, state: "sendable" as const } : { address, state: "suppressed" as const, reason }
      }),
    }
  },
})
