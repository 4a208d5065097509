import { z } from "zod"
import type { Api } from "@/lib/api/registry"
import { call, countAgain, like, given } from "@/lib/faces/face"
import { ResendAnswer, listed, listQuery } from "@/lib/faces/resend/list"
import { endpoint } from "@/lib/platform/http/endpoint"
import type { Scope } from "@/lib/platform/http/scope"
import type { Io } from "@/lib/platform/io"
import { addSuppression, listSuppressions, removeSuppression } from "@/lib/suppressions/api"
import { suppressionMissing } from "@/lib/suppressions/schema"

type Suppression = Api["GET /v1/projects/{projectId}/suppressions"]["answer"]["data"][number]
const shown = ({ id, email, reason, emailId, createdAt }: Suppression): ResendAnswer => ({
  ...{ id, email, origin: reason, source_id: emailId ?? null, created_at: createdAt },
})

/** By its address: our own lists have no other way to one. */
async function find(scope: Scope, email: string, io: Io): Promise<Suppression> {
  const { data } = await call(scope, listSuppressions, { query: { email, size: "1" } }, io)
  if (!data[0]) throw suppressionMissing()
  return data[0]
}

async function remove(scope: Scope, email: string, io: Io): Promise<ResendAnswer> {
  const { id } = await find(scope, email, io)
  await call(scope, removeSuppression, { path: { email } }, io)
  return { object: "suppression", id, deleted: true }
}

async function add(scope: Scope, email: string, io: Io): Promise<ResendAnswer> {
  const { id } = await call(scope, addSuppression, { body: { email } }, io)
  return { object: "suppression", id }
}

/** Each counts as a request of its own. */
async function eachOf(scope: Scope, emails: readonly string[], change: (email: string) => Promise<ResendAnswer>) {
  const data: ResendAnswer[] = []
  for (const [at, email] of emails.entries()) {
    if (at > 0) await countAgain(scope, addSuppression)
    data.push(await change(email))
  }
  return { data }
}

const Emails = z.strictObject({ emails: z.array(z.string()).min(1).max(100) })
const answers = [200, ResendAnswer] as const

export const resendSuppressions = [
  endpoint({
    ...like(addSuppression),
    route: "POST /resend/suppressions",
    operationId: "resendAddSuppression",
    summary: "Suppress an address",
    body: z.strictObject({ email: z.string() }),
    answers,
    run: (scope, { body }, io) => add(scope, body.email, io),
  }),
  endpoint({
    ...like(listSuppressions),
    route: "GET /resend/suppressions",
    operationId: "resendListSuppressions",
    summary: "List suppressions",
    strictQuery: true,
    query: { ...listQuery, origin: z.enum(["bounce", "complaint", "manual", "unsubscribe"]).optional() },
    answers,
    run: (scope, { query: { origin, ...query } }, io) =>
      listed(query, (page) => call(scope, listSuppressions, { query: given({ ...page, reason: origin }) }, io), shown),
  }),
  endpoint({
    ...like(listSuppressions),
    problems: [...like(listSuppressions).problems, suppressionMissing],
    route: "GET /resend/suppressions/{email}",
    operationId: "resendGetSuppression",
    summary: "Get a suppression by its address",
    answers,
    run: async (scope, { path }, io) => ({ object: "suppression", ...shown(await find(scope, path.email, io)) }),
  }),
  endpoint({
    ...like(removeSuppression, listSuppressions),
    route: "DELETE /resend/suppressions/{email}",
    operationId: "resendRemoveSuppression",
    summary: "Remove a suppression by its address",
    answers,
    run: (scope, { path }, io) => remove(scope, path.email, io),
  }),
  endpoint({
    ...like(addSuppression),
    route: "POST /resend/suppressions/batch/add",
    operationId: "resendAddSuppressions",
    summary: "Suppress addresses",
    body: Emails,
    answers,
    run: (scope, { body }, io) => eachOf(scope, body.emails, (email) => add(scope, email, io)),
  }),
  endpoint({
    ...like(removeSuppression, listSuppressions),
    route: "POST /resend/suppressions/batch/remove",
    operationId: "resendRemoveSuppressions",
    summary: "Remove suppressions",
    body: Emails,
    answers,
    run: (scope, { body }, io) => eachOf(scope, body.emails, (email) => remove(scope, email, io)),
  }),
] as const
