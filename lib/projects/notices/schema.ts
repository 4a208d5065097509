import { z } from "zod"
import { int32, timestamp } from "@/lib/platform/schema"

/** Why a post failed. */
const postFailures = ["answered", "refused", "timed_out", "unreachable"] as const
export type PostFailure = (typeof postFailures)[number]

const failureFields = {
  failure: z
    .enum(postFailures)
    .optional()
    .describe(
      "Why a post failed: the target answered with another status than 200 to 299 (`answered`), its address may not be reached (`refused`), nothing was answered in time (`timed_out`), or there was no connection (`unreachable`).",
    ),
  statusCode: int32.optional().describe("What the target answered, where `failure` is `answered`."),
}

export const NoticeTarget = z
  .strictObject({
    host: z.string().describe("The host of its URL, whose rest is a secret and never shown."),
    lastSuccessAt: timestamp.optional().describe("When a post last succeeded."),
    lastFailureAt: timestamp.optional().describe("When a post last failed."),
    ...failureFields,
    updatedAt: timestamp,
  })
  .meta({ id: "NoticeTarget" })

export type NoticeTarget = z.output<typeof NoticeTarget>

export const NoticeTargetState = z
  .strictObject({ target: NoticeTarget.optional().describe("Absent while the project has none.") })
  .meta({ id: "NoticeTargetState" })

export const NewNoticeTarget = z
  .strictObject({
    url: z
      .string()
      .min(1, "Must not be empty.")
      .max(2_048, "Must be at most 2,048 characters.")
      .meta({ format: "uri" })
      .describe(
        "An incoming webhook of Slack, or of a chat that takes the same, such as Mattermost: a public https URL; private networks only if the operator allows them.",
      ),
  })
  .meta({ id: "NewNoticeTarget" })

export const NoticeTargetTest = z
  .strictObject({ delivered: z.boolean().describe("Whether the target took it."), ...failureFields })
  .meta({ id: "NoticeTargetTest" })
