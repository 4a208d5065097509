import { problem } from "@/lib/platform/http/problem"

export const limitReached = problem(
  "project.limit_reached",
  403,
  "Project limit reached",
  "The project holds as many of these as its limits allow. An owner or admin can raise the limit up to its ceiling in the project's settings; the operator can raise the ceiling.",
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
  "No such set-up",
  "The link is not the one that this installation printed last, or the set-up is done. Start the service again to see a fresh link, or sign in.",
)

/** The refusal of one more of something; it names the limit, its value and who can raise it. */
export function reached(limit: string, value: number) {
  return limitReached(
    `${limit} is ${value} and reached. An owner or admin can raise it in the project's settings, up to the ceiling that the operator has set.`,
  )
}
