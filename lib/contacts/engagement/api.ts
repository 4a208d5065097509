import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { findContactEmail } from "@/lib/contacts/data"
import * as engagement from "@/lib/contacts/engagement/data"
import { contactMissing, EngagementScore } from "@/lib/contacts/schema"
import { endpoint, Reply } from "@/lib/platform/http/endpoint"
import { dayMs } from "@/lib/platform/time"

const contactId = { prefix: "con", missing: contactMissing } as const

/** A stored score is valid for so long. */
const scoreHoldsMs = dayMs

export const getContactEngagementScore = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}/engagement",
  operationId: "getContactEngagementScore",
  tag: "Contacts",
  summary: "Contact engagement score",
  description:
    "0 to 100, from opens, clicks, bounces and complaints of the last 90 days; opens by machines do not count. `new` until three messages were delivered, then `cold` below 25, `cool` below 50, `warm` below 75, `hot`. Recomputed after its email events and once a day. 204 if nothing was ever sent.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId },
  answers: [200, EngagementScore],
  orEmpty: 204,
  problems: [projectMissing, contactMissing],

  async run(scope, { path }, { clock }) {
    const email = await findContactEmail(scope, path.contactId)
    if (!email) throw contactMissing()
    const since = new Date(clock.now().getTime() - scoreHoldsMs)
    const stored = await engagement.storedScore(scope, path.contactId, since)
    return stored ?? (await engagement.refreshScore(scope, path.contactId, email, clock.now())) ?? new Reply(204)
  },
})

export const refreshContactEngagementScore = endpoint({
  route: "POST /v1/projects/{projectId}/contacts/{contactId}/engagement/refresh",
  operationId: "refreshContactEngagementScore",
  tag: "Contacts",
  summary: "Recompute engagement score",
  description: "Computes the score now and stores it. 204 if nothing was ever sent.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId },
  answers: [200, EngagementScore],
  orEmpty: 204,
  problems: [projectMissing, contactMissing],

  async run(scope, { path }, { clock }) {
    const email = await findContactEmail(scope, path.contactId)
    if (!email) throw contactMissing()
    return (await engagement.refreshScore(scope, path.contactId, email, clock.now())) ?? new Reply(204)
  },
})
