import type { WebhookEvent } from "@/lib/webhooks/rules"

export type EventGroup = { area: string; events: { type: WebhookEvent; what: string }[] }

/** What can be subscribed to, by area. Tests are sent without a subscription, so `webhook.test` is not offered. */
export const eventGroups: readonly EventGroup[] = [
  {
    area: "Delivery",
    events: [
      { type: "email.sent", what: "Accepted by a mail server" },
      { type: "email.delivered", what: "Accepted by the recipient's server" },
      { type: "email.delivery_delayed", what: "Deferred for the third time" },
      { type: "email.bounced", what: "Rejected permanently" },
      { type: "email.failed", what: "Failed after 72 hours" },
      { type: "email.rejected", what: "Refused before it was sent" },
      { type: "email.suppressed", what: "Not sent: the address is suppressed" },
    ],
  },
  {
    area: "Recipients",
    events: [
      { type: "email.opened", what: "Opened" },
      { type: "email.clicked", what: "A link was clicked" },
      { type: "email.read_engaged", what: "Open for some time" },
      { type: "email.complained", what: "Marked as spam" },
      { type: "email.unsubscribed", what: "Unsubscribed by a link" },
    ],
  },
  {
    area: "Inbound",
    events: [{ type: "email.received", what: "An email came by an inbound route" }],
  },
  {
    area: "Contacts",
    events: [
      { type: "contact.created", what: "Added by a user, the API or an import" },
      { type: "contact.updated", what: "A field was changed" },
      { type: "contact.deleted", what: "Deleted" },
    ],
  },
  {
    area: "Domains",
    events: [
      { type: "domain.created", what: "Added" },
      { type: "domain.verified", what: "Its DNS records were found" },
      { type: "domain.degraded", what: "Its DNS records are missing; it can still send" },
      { type: "domain.failed", what: "It can no longer send" },
      { type: "domain.deleted", what: "Deleted" },
    ],
  },
  {
    area: "Suppressions",
    events: [
      { type: "suppression.added", what: "An address gets no more email" },
      { type: "suppression.removed", what: "An address gets email again" },
    ],
  },
]

export const offeredEvents: readonly WebhookEvent[] = eventGroups.flatMap(({ events }) =>
  events.map(({ type }) => type),
)

/** Of `email.delivered` where nobody reports it. */
export const deliveryNotReported = "Not reported by the relay of your region: email ends at sent"

/** What most people want to know first, of what is known: where nobody reports delivery, email ends at sent. */
export function usualEvents(delivered: string): WebhookEvent[] {
  return [delivered === "never" ? "email.sent" : "email.delivered", "email.bounced", "email.complained"]
}
