import type { Email } from "@/components/emails/types"

/** What a row says beside the status: when it leaves, or why it did not arrive; empty where there is nothing to say. */
export function reasonOf({ status, scheduledAt, error }: Email, local: boolean): string {
  if (status !== "scheduled" || !scheduledAt) return error ?? ""
  return new Date(scheduledAt).toLocaleString("en-GB", {
    weekday: "long",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: local ? undefined : "UTC",
  })
}
