import { problem } from "@/lib/platform/http/problem"

export const limitReached = problem(
  "project.limit_reached",
  403,
  "Project limit reached",
  "The project has reached this limit. An owner or admin can raise it up to its ceiling in the project's settings; the operator can raise the ceiling.",
)
export const storageFull = problem(
  "project.storage_full",
  413,
  "Storage full",
  "The project stores as much as it may: its emails, sandbox messages, webhook deliveries, pictures and import files together. Settings shows how much. Room becomes free as old content is deleted, and the operator can raise the limit with set-limits.",
)
export const slugTaken = problem(
  "project.slug_taken",
  400,
  "Slug taken",
  "Another project of the organization has this slug.",
)

export const setUpClosed = problem(
  "setup.not_found",
  404,
  "Set-up not found",
  "The link is not the latest one that this installation printed, or set-up is already complete. Restart the service to get a new link, or sign in.",
)

/** Names the limit that is reached, its value and who can raise it. */
export function reached(limit: string, value: number) {
  return limitReached(
    `${limit} is ${value}, and the project has reached it. An owner or admin can raise it in the project's settings, up to the ceiling that the operator has set.`,
  )
}
