import { setTimeout as wait } from "node:timers/promises"
import { topicOfSecret } from "@/lib/delivery/ses/hook-path"
import { createSns, type SnsVerdict } from "@/lib/inbound/ses/sns"
import { sesRegionsBy, takeEvents } from "@/lib/inbound/ses/take-events"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { readAtMost } from "@/lib/platform/http/read-at-most"
import { announceWork } from "@/lib/platform/jobs/announce-sql"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import type { Region } from "@/lib/regions/regions"

/** SNS's own limit of a message is 256 KiB; its envelope escapes it. */
const bodyBytesMax = 512 * 1024
/** An event may be quicker than our own record of the hand-over: milliseconds after which it is looked at again, before SNS has to. */
const againAfterMs = [200, 1_000, 3_000]

const posts = counter("mailroom_sns_posts_total", "Posts to the hook of Amazon SES's events, by what they were.", [
  "kind",
])

let usual: ReturnType<typeof createSns> | undefined

/**
 * Takes what SNS posts to a topic's secret path. 404 for a path that is not ours, 403 for what AWS has not signed for that topic, 503
 * where SNS is to post it again.
 */
export async function takeSnsPost(
  request: Request,
  secret: string,
  sns: ReturnType<typeof createSns> = (usual ??= createSns()),
): Promise<Response> {
  const topics = sesRegionsBy("topic")
  const topic = topicOfSecret(secret, [...topics.keys()])
  const { regions } = topics.get(topic ?? "") ?? {}
  if (topic === undefined || !regions) return answer(404)
  const body = await readAtMost(request.body, bodyBytesMax)
  if (body === null) return answer(413)
  const verdict = await sns.judge(body, topic)
  posts.inc({ kind: verdict.kind === "refused" ? verdict.why : verdict.kind })
  try {
    return answer(await statusAfter(verdict, regions, sns))
  } catch (error) {
    if (!isUnavailable(error)) log.error({ err: error }, "a post of SNS could not be worked on")
    return answer(503)
  }
}

async function statusAfter(
  verdict: SnsVerdict,
  regions: readonly Region[],
  sns: ReturnType<typeof createSns>,
): Promise<number> {
  switch (verdict.kind) {
    case "refused":
      log.warn({ why: verdict.why }, "a post to the hook of Amazon SES's events is refused")
      return 403
    case "subscription":
      log.info({ regions }, "the topic of Amazon SES's events is subscribed to")
      return (await sns.confirm(verdict.confirmUrl)) ? 200 : 503
    case "unsubscribed":
      log.warn({ regions }, "the topic of Amazon SES's events is no longer subscribed to")
      return 200
    case "notification":
      return (await takeOne(verdict.body, regions)) ? 200 : 503
  }
}

async function takeOne(body: string, regions: readonly Region[]): Promise<boolean> {
  for (const pauseMs of [0, ...againAfterMs]) {
    if (pauseMs > 0) await wait(pauseMs)
    const [taken] = await takeEvents([body], regions)
    if (taken === "done") {
      announceWork()
      return true
    }
  }
  return false
}

function answer(status: number): Response {
  return new Response(null, { status, headers: { "Cache-Control": "no-store" } })
}
