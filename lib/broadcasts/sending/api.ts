import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing, senderNotAllowed } from "@/lib/access/problems"
import { findBroadcast, findStored, senderVerified } from "@/lib/broadcasts/data"
import { openBroadcastsMax } from "@/lib/broadcasts/rules"
import { Broadcast, broadcastMissing, statusConflict } from "@/lib/broadcasts/schema"
import { cancel, pause, resumeSending, sendNow, type Stepped } from "@/lib/broadcasts/sending/data"
import { domainNotVerified, projectSuspended } from "@/lib/emails/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import type { Scope } from "@/lib/platform/http/scope"
import { fixedLimitReached, limitReached } from "@/lib/projects/schema"
import { requireSender } from "@/lib/access/authorize"
import { parseAddress } from "@/lib/addresses/address"
import { findProject } from "@/lib/projects/data"

export const sendBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/send",
  operationId: "sendBroadcast",
  tag: "Broadcasts",
  summary: "Send draft",
  description:
    "Sends a draft now, or at its `scheduledAt` if that is in the future. A scheduled broadcast is sent now.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  strictQuery: true,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, Broadcast],
  problems: [
    projectMissing,
    broadcastMissing,
    statusConflict,
    limitReached,
    domainNotVerified,
    projectSuspended,
    senderNotAllowed,
  ],
  additive: true,

  async run(scope, { path }) {
    await checkStoredSender(scope, path.broadcastId)
    return answerOf(scope, path.broadcastId, await sendNow(scope, path.broadcastId))
  },
})

export const pauseBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/pause",
  operationId: "pauseBroadcast",
  tag: "Broadcasts",
  summary: "Pause broadcast",
  description:
    "For a broadcast that is being sent. Recipients whom a worker is processing at this moment still get it, and email already accepted is sent.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  strictQuery: true,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, Broadcast],
  problems: [projectMissing, broadcastMissing, statusConflict],
  additive: true,

  async run(scope, { path }) {
    return answerOf(scope, path.broadcastId, await pause(scope, path.broadcastId))
  },
})

export const resumeBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/resume",
  operationId: "resumeBroadcast",
  tag: "Broadcasts",
  summary: "Resume broadcast",
  description:
    "Continues after the last processed recipient. If the broadcast had paused automatically, its rates are evaluated again after the next 500 emails.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  strictQuery: true,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, Broadcast],
  problems: [projectMissing, broadcastMissing, statusConflict, domainNotVerified, projectSuspended, senderNotAllowed],
  additive: true,

  async run(scope, { path }) {
    await checkStoredSender(scope, path.broadcastId)
    return answerOf(scope, path.broadcastId, await resumeSending(scope, path.broadcastId))
  },
})

export const cancelBroadcast = endpoint({
  route: "POST /v1/projects/{projectId}/broadcasts/{broadcastId}/cancel",
  operationId: "cancelBroadcast",
  tag: "Broadcasts",
  summary: "Cancel broadcast",
  description: "Permanently ends a broadcast that is scheduled, being sent or paused. Email already accepted is sent.",
  access: allow("emails:send"),
  bucket: buckets.emailSend,
  strictQuery: true,
  path: { broadcastId: { prefix: "bc", missing: broadcastMissing } },
  answers: [200, Broadcast],
  problems: [projectMissing, broadcastMissing, statusConflict],
  additive: true,

  async run(scope, { path }) {
    return answerOf(scope, path.broadcastId, await cancel(scope, path.broadcastId))
  },
})

/** The broadcast after a step. @throws the problem where the step was refused */
async function answerOf(scope: Scope, id: string, stepped: Stepped): Promise<Broadcast> {
  const found = stepped === "missing" ? null : await findBroadcast(scope, id)
  if (!found) throw broadcastMissing()
  if (stepped === "full") throw fixedLimitReached("broadcasts that have not ended", openBroadcastsMax)
  if (stepped === "conflict") throw statusConflict(`The broadcast is ${found.status}, which does not allow this.`)
  return found
}

export const broadcastStepOperations = [sendBroadcast, pauseBroadcast, resumeBroadcast, cancelBroadcast] as const

/** Whether the project may send from this domain now; a draft need not. @throws senderNotAllowed, projectSuspended, domainNotVerified */
export async function checkSender(scope: Scope, domain: string): Promise<void> {
  requireSender(scope, domain)
  // As it is now: what a key knows of its project may be some seconds old.
  if ((await findProject(scope))?.status !== "active") throw projectSuspended()
  if (!(await senderVerified(scope, domain))) throw domainNotVerified()
}

/** The same for a stored broadcast; one that does not exist is left to the step that follows. */
async function checkStoredSender(scope: Scope, id: string): Promise<void> {
  const stored = await findStored(scope, id)
  const sender = stored && parseAddress(stored.from)
  if (sender?.ok) await checkSender(scope, sender.domain)
}
