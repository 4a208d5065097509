import type { Tone } from "@/components/ui/pill"
import type { Activity } from "@/components/contacts/queries"

const words: Record<string, { title: string; tone: Tone }> = {
  email_sent: { title: "Email sent", tone: "wait" },
  email_delivered: { title: "Email delivered", tone: "good" },
  email_opened: { title: "Email opened", tone: "good" },
  email_clicked: { title: "Link clicked", tone: "good" },
  email_bounced: { title: "Email bounced", tone: "bad" },
  email_complained: { title: "Complained about an email", tone: "bad" },
  contact_created: { title: "Contact added", tone: "wait" },
  segment_added: { title: "Added to segment", tone: "wait" },
  segment_removed: { title: "Removed from segment", tone: "wait" },
  topic_subscribed: { title: "Subscribed to topic", tone: "good" },
  topic_unsubscribed: { title: "Left topic", tone: "warn" },
  suppression_added: { title: "Suppressed", tone: "warn" },
  suppression_removed: { title: "No longer suppressed", tone: "wait" },
}

export function activityWords(activity: Activity): { title: string; tone: Tone } {
  return words[activity.type] ?? { title: activity.type, tone: "wait" }
}

/** Where an entry leads; what is gone says so there. */
export function activityHref(projectId: string, { type, referenceId }: Activity): string | null {
  if (!referenceId) return null
  if (type.startsWith("email_")) return `/projects/${projectId}/emails/${referenceId}`
  if (type.startsWith("segment_")) return `/projects/${projectId}/segments/${referenceId}`
  return type.startsWith("topic_") ? `/projects/${projectId}/topics/${referenceId}` : null
}
