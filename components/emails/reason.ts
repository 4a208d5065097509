import type { Email } from "@/components/emails/types"
import { dateWords } from "@/components/ui/date-words"

/** What a row says beside the status: when it leaves, or why it did not arrive; empty where there is nothing to say. */
export function reasonOf({ status, scheduledAt, error }: Email, local: boolean): string {
  if (status !== "scheduled" || !scheduledAt) return error ?? ""
  return dateWords(scheduledAt, {
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: local ? undefined : "UTC",
  })
}
