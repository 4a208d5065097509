import { problem } from "@/lib/platform/http/problem"

export const limitReached = problem(
  "project.limit_reached",
  403,
  "Project limit reached",
  "The project has reached this limit. An owner or admin can raise it up to its ceiling in the project's settings; the operator can raise the ceiling.",
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
