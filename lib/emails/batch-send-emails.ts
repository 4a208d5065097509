import type { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { accept } from "@/lib/emails/accept"
import { findReplays, type Accepted } from "@/lib/emails/accept-sql"
import { planSend, refuseTooLarge, type Send } from "@/lib/emails/admission"
import { resolveTargets } from "@/lib/emails/audience"
import { heldOr, refusalOf, sentEmail } from "@/lib/emails/answers"
import { NewBatch, SentBatch, type BatchItem } from "@/lib/emails/sent-schema"
import { NewEmail } from "@/lib/emails/send-schema"
import { keyOf, sendBytesMax } from "@/lib/emails/send-email"
import { endpoint } from "@/lib/platform/http/endpoint"
import { env } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import { parseBody } from "@/lib/platform/http/perform"
import { cutToBytes, Problem, problemBounds, problemDocument } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"
import { createTurns } from "@/lib/platform/turns"
import type { Scope } from "@/lib/platform/http/scope"

type Item = z.output<typeof BatchItem>

export const batchSendEmails = endpoint({
  route: "POST /v1/emails/batch",
  operationId: "batchSendEmails",
  tag: "Emails",
  summary: "Send a batch of emails",
  description:
    '1 to 100 items, each accepted or rejected independently, with its result at the same index: a failed item never rolls back another. A failed item carries `status: "rejected"`, `error` (code, colon, detail) and the whole `problem`. An item with several recipients, or a topic or segment, returns its first message. Each item may have its own `idempotencyKey`; the header `Idempotency-Key` is not read.',
  access: allow("emails:send"),
  bucket: buckets.emailBatch,
  idempotent: true,
  strictQuery: true,
  body: NewBatch,
  bodyBytesMax: sendBytesMax,
  answers: [200, SentBatch],
  problems: [requestInvalid],
  example: {
    body: {
      items: [
        {
          from: "Acme <hello@acme.example>",
          to: ["ada@lovelace.example"],
          subject: "Your receipt",
          text: "Thank you for your order.",
        },
      ],
    },
  },

  async run(scope, { body }, { clock }) {
    const now = clock.now()
    const planned = await planAll(scope, body.items, now)
    refuseTooLarge(planned.reduce((sum, plan) => sum + ("send" in plan ? plan.send.totalBytes : 0), 0))
    const replays = await replaysOf(scope, planned)
    // All sends are in line before the first is served, so that they share one statement.
    const room = problemBounds.documentBytes / planned.length
    const results = planned.map((plan, index) => resultOf(scope, plan, index, { replays, room }))
    return { results: await Promise.all(results) }
  },
})

type Plan = { key: string | null } & ({ send: Send } | { refused: Problem })

/** A hundred items that are wrong in a thousand places each take a while: others come in between. */
async function planAll(scope: Scope, items: readonly unknown[], now: Date): Promise<Plan[]> {
  const turn = createTurns()
  const plans: Promise<Plan>[] = []
  for (const item of items) {
    const plan = planOf(scope, item, now)
    // Awaited below; until then nobody listens to a failure.
    plan.catch(() => undefined)
    plans.push(plan)
    await turn()
  }
  return Promise.all(plans)
}

async function planOf(scope: Scope, item: unknown, now: Date): Promise<Plan> {
  const key = keyOf(item)
  try {
    const email = parseBody(NewEmail, item)
    return { key, send: await planSend(scope, email, await resolveTargets(scope, email), now) }
  } catch (error) {
    if (error instanceof Problem) return { key, refused: error }
    throw error
  }
}

/** An accepted key replays whatever else its item contains; one query for all refused items. */
async function replaysOf(scope: Scope, planned: readonly Plan[]): Promise<Map<string, Accepted>> {
  const keys = planned.flatMap((plan) => ("refused" in plan && plan.key !== null ? [plan.key] : []))
  return keys.length ? findReplays(scope.project.id, [...new Set(keys)]) : new Map()
}

async function resultOf(
  scope: Scope,
  plan: Plan,
  index: number,
  { replays, room }: { replays: Map<string, Accepted>; room: number },
): Promise<Item> {
  if ("refused" in plan) {
    const replay = plan.key === null ? undefined : replays.get(plan.key)
    return replay ? itemOf(index, replay) : refusedItem(scope, index, plan.refused, room)
  }
  try {
    return itemOf(index, await accept(scope.project.id, plan.send))
  } catch (error) {
    const refused = heldOr(error, plan.key)
    if (refused instanceof Problem) return refusedItem(scope, index, refused, room)
    throw refused
  }
}

function itemOf(index: number, accepted: Accepted): Item {
  if (!("messages" in accepted)) throw refusalOf(accepted)
  const { messages: _all, ...leading } = sentEmail(accepted.messages)
  return { index, ...leading }
}

/** `room`: bytes of the answer that the item may take. `error` repeats the detail of its problem. */
function refusedItem(scope: Scope, index: number, refused: Problem, room: number): Item {
  const about = { baseUrl: env().baseUrl, requestId: encodeId("req", scope.request.id) }
  const document = problemDocument(refused, about, room * 0.7)
  const errors = document.errors?.map(({ pointer, detail }) => ({ pointer: `/items/${index}${pointer}`, detail }))
  const problem = errors ? { ...document, errors } : document
  return {
    index,
    status: "rejected",
    error: `${refused.kind.code}: ${cutToBytes(document.detail ?? "", room * 0.2)}`,
    problem,
  }
}
