import { z } from "zod"
import { projectNoticeKinds } from "@/lib/access/system-mail/system-mail"
import { unreadMax } from "@/lib/delivery/notices/rules"
import { CursorInfo } from "@/lib/platform/http/paging"
import { id, int32, timestamp } from "@/lib/platform/schema"

export const noticeKinds = ["setup_row_red", "address_blocked", "warm_up_repeats"] as const

/** The list has at most so many, the latest first. */
export const noticesShown = 50

const OperatorNotice = z
  .strictObject({
    id: id("opn"),
    at: timestamp,
    kind: z
      .enum(noticeKinds)
      .describe(
        "A required row of the sending set-up is wrong (`setup_row_red`), a destination refuses an address (`address_blocked`), or a day of a warm-up is repeated (`warm_up_repeats`).",
      ),
    title: z.string(),
    message: z.string(),
    fix: z.string().describe("What to do about it."),
    page: z.string().describe("The page about it, below the settings of a project."),
    read: z.boolean().describe("Whether you have marked it as read."),
  })
  .meta({ id: "OperatorNotice" })

export const OperatorNoticeList = z
  .strictObject({
    unread: int32.describe("How many of these are not read."),
    data: z.array(OperatorNotice).describe(`The latest ${noticesShown}, newest first; they are kept for 90 days.`),
  })
  .meta({ id: "OperatorNoticeList" })

export type OperatorNoticeList = z.infer<typeof OperatorNoticeList>

export const NoticeRead = z
  .strictObject({ upTo: timestamp.describe("The time of the latest notice that you have seen.") })
  .meta({ id: "NoticeRead" })

const PersonNotice = z
  .strictObject({
    id: z.union([id("ntc"), id("opn")]),
    at: timestamp,
    kind: z.enum([...projectNoticeKinds, ...noticeKinds]),
    title: z.string(),
    message: z.string(),
    details: z.array(z.string()).describe("What else its email says: what is wrong, and what to do about it."),
    page: z.string().describe("The page about it, below the project."),
    projectId: id("proj").optional().describe("The project that it is about; absent for a notice to operators."),
    project: z.string().optional().describe("The name of that project."),
    read: z.boolean().describe("Whether you have marked it as read."),
  })
  .meta({ id: "PersonNotice" })

export const PersonNoticePage = z
  .strictObject({
    unread: int32.describe(`How many are not read, counted up to ${unreadMax}.`),
    data: z.array(PersonNotice).describe("Newest first; they are kept for 90 days."),
    cursor: CursorInfo,
  })
  .meta({ id: "PersonNoticePage" })
