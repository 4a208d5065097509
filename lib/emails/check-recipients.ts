import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { parseAddress } from "@/lib/addresses/address"
import { findOptedOut, topicExists } from "@/lib/emails/audience-sql"
import { findSuppressed } from "@/lib/emails/store"
import { CheckedRecipients, RecipientsToCheck } from "@/lib/emails/recipients-schema"
import { isHeldBySimulator } from "@/lib/emails/simulator"
import { endpoint } from "@/lib/platform/http/endpoint"
import { decodeId } from "@/lib/platform/ids"
import { requestInvalid } from "@/lib/platform/http/problems"
import { topicOptOut } from "@/lib/topics/rules"

export const checkRecipients = endpoint({
  route: "POST /v1/projects/{projectId}/emails/check-recipients",
  operationId: "checkRecipients",
  tag: "Projects",
  summary: "Check recipients before a send",
  description:
    "What would happen to each address if you sent now, in the order of the request: `sendable`, `suppressed` with the reason, or `invalid` with the error. Nothing is sent, stored or counted.",
  access: allow("emails:send"),
  bucket: null,
  body: RecipientsToCheck,
  answers: [200, CheckedRecipients],
  problems: [requestInvalid, projectMissing],
  additive: true,
  example: { body: { addresses: ["ada@lovelace.example"] } },

  async run(scope, { body }) {
    const read = body.addresses.map((address) => ({ address, parsed: parseAddress(address) }))
    const topicId = body.topicId === undefined ? null : decodeId("top", body.topicId)
    if (body.topicId !== undefined && !(topicId && (await topicExists(scope, topicId)))) {
      const detail = "Names no topic of this project."
      throw requestInvalid(detail, { errors: [{ pointer: "/topicId", detail }] })
    }
    const canonical = read.flatMap(({ parsed }) => (parsed.ok ? parsed.canonical : []))
    const [suppressed, optedOut] = await Promise.all([
      findSuppressed(scope, canonical),
      topicId ? findOptedOut(scope, topicId, canonical) : new Map<string, string>(),
    ])
    return {
      data: read.map(({ address, parsed }) => {
        if (!parsed.ok) return { address, state: "invalid" as const, reason: parsed.reason }
        const reason = isHeldBySimulator(parsed.canonical) ? "simulator" : suppressed.get(parsed.canonical)
        if (reason !== undefined) return { address, state: "suppressed" as const, reason }
        const detail = optedOut.get(parsed.canonical)
        if (detail !== undefined) return { address, state: "suppressed" as const, reason: topicOptOut, detail }
        return { address, state: "sendable" as const }
      }),
    }
  },
})
