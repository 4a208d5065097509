import { readContent } from "@/lib/broadcasts/content"
import type { BroadcastStatus, PausedReason, WaitReason } from "@/lib/broadcasts/rules"
import type { Broadcast, BroadcastItem } from "@/lib/broadcasts/schema"
import { headerOf } from "@/lib/emails/message-rows"
import { noCounts, reportOf, type Counts } from "@/lib/metrics/rules"
import { shown } from "@/lib/platform/database/shape"
import { present } from "@/lib/platform/schema"
import type { Prisma } from "@/prisma/generated/client"

/** A broadcast without its content, which may have mebibytes. */
export const itemShape = {
  ...{ id: true, projectId: true, status: true, subject: true, fromHeader: true, entries: true, content: false },
  ...{ topicId: true, testMode: true, idempotencyKey: false, scheduledAt: true, contentId: false, position: false },
  ...{ cursor: false, recipients: true, joined: true, accepted: true, unsubscribed: true, suppressed: true },
  ...{ topicOptOut: true, leftBefore: true, judgedSent: false, judgedBounced: false, judgedDelivered: false },
  ...{ judgedComplained: false, pausedReason: true, waitingFor: true, waitingUntil: true, attempt: false },
  ...{ dueAt: false, keyId: false, userId: false, requestId: false, startedAt: true, endedAt: true },
  ...{ createdAt: true, updatedAt: true },
} as const satisfies Record<Prisma.BroadcastScalarFieldEnum, boolean>

export const shape = { ...itemShape, content: true } as const

type ItemRow = Prisma.BroadcastGetPayload<{ select: typeof itemShape }>
type Row = Prisma.BroadcastGetPayload<{ select: typeof shape }>

export function toItem(row: ItemRow, results: Counts = noCounts()): BroadcastItem {
  const { id, projectId, subject, testMode, createdAt, updatedAt } = row
  return shown<BroadcastItem>()({
    ...{ id, projectId, subject, testMode, createdAt, updatedAt },
    status: row.status as BroadcastStatus,
    from: row.fromHeader,
    to: row.entries,
    topicId: present(row.topicId),
    scheduledAt: present(row.scheduledAt),
    startedAt: present(row.startedAt),
    endedAt: present(row.endedAt),
    pausedReason: present(row.pausedReason as PausedReason | null),
    waiting: waitOf(row),
    counts: countsOf(row, results),
  })
}

export function toBroadcast({ content, ...row }: Row, results?: Counts): Broadcast {
  const { from: _from, subject: _subject, topicId: _topicId, testMode: _testMode, ...given } = readContent(content)
  const { attachments, html, text, headers, tags, metadata } = given
  return shown<Broadcast>()({
    ...wholeItem(toItem(row, results)),
    ...{ html, text, headers, tags, metadata },
    replyTo: given.replyTo && headerOf(given.replyTo),
    sendTimeCategory: given.sendTimeCategory,
    trackingSettings: given.trackingSettings,
    giveUpAfterSeconds: given.giveUpAfterSeconds,
    attachments: attachments?.map(({ filename, contentType, content: base64 }) => ({
      ...{ filename, contentType },
      size: Buffer.byteLength(base64, "base64"),
    })),
  })
}

/** `shown` asks for every field, absent ones included; an item has them all. */
function wholeItem(item: BroadcastItem) {
  return item as { [Name in keyof Required<BroadcastItem>]: BroadcastItem[Name] }
}

function waitOf({ status, waitingFor, waitingUntil }: ItemRow): BroadcastItem["waiting"] {
  if (waitingFor === null || (status !== "preparing" && status !== "sending")) return undefined
  return { reason: waitingFor as WaitReason, ...(waitingUntil && { until: waitingUntil }) }
}

function countsOf(row: ItemRow, results: Counts): BroadcastItem["counts"] {
  const { accepted, unsubscribed, suppressed, topicOptOut, leftBefore, joined, recipients } = row
  return {
    ...(recipients !== null && { recipients: recipients + joined }),
    accepted,
    excluded: { unsubscribed, suppressed, topicOptOut, left: leftBefore },
    ...{ sent: results.sent, delivered: results.delivered, bounced: results.bounced, failed: results.failed },
    ...{ complained: results.complained, opened: results.opened, clicked: results.clicked },
    unsubscribed: results.unsubscribed,
    ...reportOf(results),
  }
}
