import { addRequests, type KeyRequest, loggedFieldsMax } from "@/lib/api-keys/usage/data"
import { type Endpoint, pathOf } from "@/lib/platform/http/endpoint"
import { type Problem, problemBounds } from "@/lib/platform/http/problem"
import { loggable } from "@/lib/platform/http/scope"
import type { AnswerReport } from "@/lib/platform/http/serve"
import { createWriteBuffer } from "@/lib/platform/jobs/batches"
import { perProcess } from "@/lib/platform/per-process"

const waitingMax = 20_000

const buffer = perProcess("usage of keys", () =>
  createWriteBuffer(addRequests, {
    ...{ name: "usage records", afterMs: 1_000, retryAfterMs: 5_000, batchMax: waitingMax, waitingMax },
  }),
)

/** Notes a request made with a key, to be written with others within a second, off the request path. */
export function recordRequest(report: AnswerReport) {
  const { endpoint, method, principal, info, status, problem, facts, notice, durationMs } = report
  if (principal?.kind !== "key") return
  buffer.add({
    id: info.id,
    organizationId: principal.organizationId,
    projectId: principal.projectId,
    keyId: principal.keyId,
    method,
    route: pathOf(endpoint),
    statusCode: status,
    ...(problem && detailsOf(problem)),
    notice,
    userAgent: userAgentOf(info.headers),
    idempotencyKey: facts.idempotencyKey,
    objectIds: facts.made.length || !facts.named ? facts.made : [facts.named],
    alsoUsed: status === 403 ? [] : facts.alsoUsed,
    durationMs: Math.round(durationMs),
    ip: info.ip,
    permission: status === 403 ? "" : permissionOf(endpoint, principal.permissions),
    at: new Date(Date.now() - durationMs),
  })
}

const userAgentCharsMax = 300

function userAgentOf(headers: AnswerReport["info"]["headers"]): string | undefined {
  const text = headers.get("user-agent")
  return text === null ? undefined : loggable(text, userAgentCharsMax)
}

/** Why the request was refused, and the first of its invalid fields. */
function detailsOf({ kind, detail, extras }: Problem): Partial<KeyRequest> {
  const bounded = (text: string) => loggable(text, problemBounds.detailChars)
  const fields = extras.errors?.slice(0, loggedFieldsMax)
  return {
    problemCode: kind.code,
    problemDetail: bounded(detail),
    problemFields: fields?.map((field) => ({ pointer: bounded(field.pointer), detail: bounded(field.detail) })),
  }
}

/** The permission of the key that let the request through. */
function permissionOf({ access }: Endpoint, granted: ReadonlySet<string>): string {
  if (access.credential === "none") return ""
  return access.anyOf.find((permission) => granted.has(permission)) ?? ""
}

/** Writes what waits; also called when a process drains. */
export function flushRequests(): Promise<void> {
  return buffer.flush()
}
