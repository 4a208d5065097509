import type { Limits } from "@/lib/projects/rules"
import { problem } from "@/lib/platform/http/problem"

export const limitReached = problem(
  "project.limit_reached",
  403,
  "Project limit reached",
  "The project has reached this limit, which the detail names. An owner or admin can raise a limit of the project's settings up to its ceiling; the operator can raise the ceiling with `npm run admin -- set-limits`. Other limits are the same for every project.",
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
export function reached(limit: keyof Limits, value: number) {
  return limitReached(
    `${limit} is ${value}, and the project has reached it. An owner or admin can raise it in the project's settings, up to the ceiling that the operator has set.`,
  )
}

/** For a limit that is the same for every project. */
export function fixedLimitReached(what: string, most: number) {
  return limitReached(
    `A project has at most ${most} ${what}. Nobody can raise this limit; delete what is no longer used.`,
  )
}
