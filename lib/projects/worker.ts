import { type ClaimedNotice, claimedNotice, claimNotices, extendNotices, finishNotice } from "@/lib/access/notices/data"
import { runLeased } from "@/lib/platform/jobs/leases"
import { nextPostSeconds, postToChat, type PostOptions } from "@/lib/projects/notices/post"
import { recordPost, targetUrl } from "@/lib/projects/notices/data"
import { log } from "@/lib/platform/log"
import { quotaCrossings, tellOfQuota } from "@/lib/projects/quota/data"

type Options = PostOptions & { leaseMs?: number; intervalMs?: number }

/** Posts notices to the chats of their projects until the signal aborts. Never rejects. */
export async function runNoticePosts({ leaseMs = 60_000, intervalMs = 500, ...options }: Options): Promise<void> {
  await runLeased<ClaimedNotice>({
    name: "notice posts",
    claim: (limit) => claimNotices(limit, leaseMs),
    work: (claimed, signal) => postNotice(claimed, { ...options, signal }),
    heartbeat: (held) => extendNotices(held, leaseMs),
    ...{ leaseMs, intervalMs, concurrency: 5, drainMs: 20_000, signal: options.signal },
  })
}

async function postNotice(claimed: ClaimedNotice, options: PostOptions): Promise<void> {
  const scope = { project: { id: claimed.projectId } }
  const [url, notice] = await Promise.all([targetUrl(scope), claimedNotice(claimed)])
  if (!url || !notice) return finishNotice(claimed, null)
  const { subject: title, lead, paragraphs, action, url: page } = notice.content
  const outcome = await postToChat(url.href, { title, lead, paragraphs, action, url: page }, options)
  // Stopped before its end is known: it is posted again when the lease ends.
  if (options.signal.aborted) return
  await recordPost(scope, url, outcome)
  await finishNotice(claimed, outcome.failure ? nextPostSeconds(claimed.attempt, outcome.retryAfterSeconds) : null)
}

const batchMax = 100

/**
 * Tells owners who have used 80 percent of today's quota or all of it, once each. A pass of the worker rather than a part of a
 * send, so that sends cost nothing more.
 * @returns whether there may be more
 */
export async function tellOfQuotas(): Promise<boolean> {
  const crossings = await quotaCrossings(batchMax)
  let told = 0
  for (const crossing of crossings) {
    try {
      await tellOfQuota(crossing)
      told += 1
    } catch (error) {
      log.error(
        { err: error, organizationId: crossing.organizationId },
        "a notice about a quota failed; it comes later",
      )
    }
  }
  return crossings.length === batchMax && told > 0
}
