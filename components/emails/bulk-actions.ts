import { call } from "@/components/data/call"
import { bodyAgain } from "@/components/emails/curl"
import { emailQuery, emailsQuery } from "@/components/emails/queries"
import { isRepeatable } from "@/components/emails/selection"
import type { Email } from "@/components/emails/types"
import { presentBody } from "@/lib/emails/message-rules"

/** Emails that one request cancels, and that can be sent again together. */
export const togetherMax = 100

type Choice = Omit<NonNullable<Parameters<typeof emailsQuery>[1]>, "page" | "size">

/** Cancels these emails; returns how many were still scheduled. */
export async function cancelThese(projectId: string, ids: readonly string[]): Promise<number> {
  const { cancelled } = await call("POST /v1/projects/{projectId}/emails/cancel", {
    params: { projectId },
    body: { ids: [...ids] },
  })
  return cancelled
}

/** Cancels all scheduled emails that the filters leave, a hundred at a time; returns their number. */
export async function cancelAll(projectId: string, choice: Choice): Promise<number> {
  for (let cancelled = 0; ;) {
    const emails = await pageOf(projectId, { ...choice, status: "scheduled" })
    const done = emails.length ? await cancelThese(projectId, emails.map(idOf)) : 0
    // Emails sent in the meantime are no longer scheduled.
    if (done === 0) return cancelled
    cancelled += done
  }
}

/** The emails that the filters leave, up to `togetherMax`. */
export async function pageOf(projectId: string, choice: Choice): Promise<Email[]> {
  const { params, query } = inputOf(emailsQuery(projectId, { ...choice, size: togetherMax }))
  return (await call("GET /v1/projects/{projectId}/emails", { params, query })).data
}

/**
 * Sends each once more; those whose content is not kept any more are left out. `attempt` makes the same press the same
 * request, so that a repeated call makes no second email.
 */
export async function sendAgain(projectId: string, ids: readonly string[], attempt: string) {
  let sent = 0
  for (const emailId of ids) {
    const { params } = inputOf(emailQuery(projectId, emailId))
    const email = await call("GET /v1/projects/{projectId}/emails/{emailId}", { params })
    const kept = presentBody(email.html) !== undefined || presentBody(email.text) !== undefined
    if (!kept || !isRepeatable(email.status)) continue
    const body = { ...bodyAgain(email), idempotencyKey: `again-${attempt}-${emailId}` }
    await call("POST /v1/emails", { query: { projectId }, body })
    sent += 1
  }
  return { sent, left: ids.length - sent }
}

function inputOf<I>({ queryKey: [, input] }: { queryKey: readonly [string, I] }): I {
  return input
}

function idOf({ id }: Email): string {
  return id
}
