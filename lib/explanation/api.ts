import { mayAlso } from "@/lib/access/authorize"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { findDeliveries, findTimeline } from "@/lib/emails/data"
import { emailMissing } from "@/lib/emails/schema"
import { findCircumstances, findJourney } from "@/lib/explanation/data"
import { explainEmail } from "@/lib/explanation/explain"
import { Explanation } from "@/lib/explanation/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { findDeliveriesOf } from "@/lib/webhooks/history/data"

const eventsAskedFor = 200
const webhookDeliveriesMax = 500

export const getEmailExplanation = endpoint({
  route: "GET /v1/projects/{projectId}/emails/{emailId}/explanation",
  operationId: "getEmailExplanation",
  tag: "Projects",
  summary: "Explain an email",
  description:
    "Why the email has its status and what to do about it, in one sentence each for the whole email and for each recipient, together with the decisions, the time of signing, the attempts with their SMTP sessions, the events, and the webhook deliveries of these events.",
  access: allow("emails:read"),
  bucket: null,
  path: { emailId: { prefix: "email", missing: emailMissing } },
  answers: [200, Explanation],
  problems: [emailMissing, projectMissing],
  additive: true,

  async run(scope, { path: { emailId } }) {
    const [circumstances, deliveries, events, { copies, ...journey }] = await Promise.all([
      findCircumstances(scope, emailId),
      findDeliveries(scope, emailId),
      findTimeline(scope, emailId),
      findJourney(scope, emailId),
    ])
    if (!circumstances || !deliveries || !events) throw emailMissing()
    const recent = events.slice(-eventsAskedFor).map(({ id }) => id)
    const webhookDeliveries = mayAlso(scope, "webhooks:read")
      ? { webhookDeliveries: await findDeliveriesOf(scope, recent, webhookDeliveriesMax) }
      : {}
    const { recipients, ...whole } = explainEmail(circumstances, deliveries)
    return {
      ...whole,
      ...journey,
      recipients: recipients.map((recipient) => ({ ...recipient, sandboxCopy: copies.get(recipient.id) })),
      events,
      ...webhookDeliveries,
    }
  },
})
