import type pg from "pg"
import { newId } from "@/lib/platform/ids"
import { pool, unscoped } from "@/lib/platform/database/db"
import { newClient } from "@/lib/platform/database/client"
import { env } from "@/lib/platform/env/env"
import { KeyRing } from "@/e2e/bench/key-ring"
import { callFor, loadFor, requestOf } from "@/e2e/bench/load"
import { html, message, nextNumber, text } from "@/e2e/bench/messages"
import { median, ratio, type Row } from "@/e2e/bench/table"
import type { Stage } from "@/e2e/bench/stage"
import type { World } from "@/e2e/bench/world"

const perCall = 100
const callers = 4

/** Emails a second through `POST /v1/emails/batch` beside one multi-row statement by hand, and beside Prisma's. */
export async function measureBatch(
  stage: Stage,
  world: World,
  { rounds, ms }: { rounds: number; ms: number },
): Promise<Row[]> {
  const ring = new KeyRing(world.keys, 29)
  const clients = await Promise.all(Array.from({ length: callers }, opened))
  const batch = async () =>
    perCall * (await loadFor(stage.one, () => batchAsk(world, ring), { connections: callers, ms })).perSecond
  const called = async (call: (caller: number) => Promise<unknown>) =>
    perCall * (await callFor({ connections: callers, ms }, call)).perSecond
  const raw = () => called((caller) => acceptByHand(clients[caller] as pg.Client, world))
  const many = () => called(() => createMany(world))
  await batch()
  await raw()
  await pool().query("ANALYZE")
  const measured = { batch: [] as number[], raw: [] as number[], many: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    measured.batch.push(await batch())
    measured.raw.push(await raw())
    measured.many.push(await many())
  }
  await Promise.all(clients.map((client) => client.end()))
  const rate = (name: keyof typeof measured) => `${median(measured[name]).toFixed(0)}/s`
  return [
    {
      what: `POST /v1/emails/batch of ${perCall}, c=${callers} / one statement by hand`,
      measured: `batch ${rate("batch")} emails, by hand ${rate("raw")}`,
      ratio: ratio(measured.batch, measured.raw),
      goal: 0.6,
    },
    {
      what: `POST /v1/emails/batch of ${perCall}, c=${callers} / createMany of emails alone`,
      measured: `createMany ${rate("many")}`,
      ratio: ratio(measured.batch, measured.many),
      goal: 2.5,
    },
  ]
}

function batchAsk({ domain }: World, ring: KeyRing) {
  const key = ring.connection()
  return () => {
    const items = Array.from({ length: perCall }, () => message(domain, nextNumber()))
    return requestOf("POST", "/v1/emails/batch", { key: key(), body: JSON.stringify({ items }) })
  }
}

async function opened(): Promise<pg.Client> {
  const client = newClient(env().databaseUrl, "mailroom bench")
  await client.connect()
  return client
}

/**
 * What a person would write who has nothing but the statement in mind: suppressions, idempotency, and all rows of an
 * email. No limits, no quota, no sender, and no answer for each item.
 */
async function acceptByHand(client: pg.Client, { projectId, domainId, domain }: World) {
  const rows = Array.from({ length: perCall }, () => ({ ...message(domain, nextNumber()), id: newId() }))
  await client.query({
    name: "bench.accept_by_hand",
    text: statement,
    values: [
      projectId,
      domainId,
      rows.map(({ id }) => id),
      rows.map(({ idempotencyKey }) => idempotencyKey),
      rows.map(({ to }) => to[0]),
      rows.map(({ subject }) => subject),
      rows.map((row) => row.text),
      rows.map((row) => row.html),
      rows.map(newId),
      rows.map(newId),
    ],
  })
}

const statement = `
  WITH input AS (
    SELECT i.*, s.id IS NOT NULL AS suppressed
      FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::uuid[])
        AS i(id, key, recipient, subject, text, html, delivery_id, event_id)
      LEFT JOIN suppressions s ON s.project_id = $1 AND s.email = i.recipient
  ), email AS (
    INSERT INTO emails (id, project_id, idempotency_key, group_id, status, admitted_status, domain_id, from_header, to_headers,
        cc_headers, bcc_headers, subject, message_id, tags, size)
      SELECT id, $1, key, id, 'queued', 'queued', $2, 'Acme <hello@acme.example>', ARRAY[recipient], '{}', '{}', subject,
        '<' || id || '@acme.example>', '{"kind":"order"}', length(html) FROM input
      ON CONFLICT (project_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
      RETURNING id
  ), body AS (
    INSERT INTO email_bodies (project_id, email_id, text, html) SELECT $1, id, text, html FROM input JOIN email USING (id)
  ), delivery AS (
    INSERT INTO deliveries (id, project_id, email_id, region, role, address, canonical, status, due_at)
      SELECT delivery_id, $1, id, 'eu-west-1', 'to', recipient, recipient, CASE WHEN suppressed THEN 'suppressed' ELSE 'queued' END,
        CASE WHEN NOT suppressed THEN now() END FROM input JOIN email USING (id)
  ), event AS (
    INSERT INTO events (id, project_id, email_id, type, data, occurred_at)
      SELECT event_id, $1, id, 'queued', jsonb_build_object('to', recipient, 'subject', subject), now() FROM input JOIN email USING (id)
  )
  SELECT id FROM email`

async function createMany({ projectId, domainId, domain }: World) {
  await unscoped().email.createMany({
    data: Array.from({ length: perCall }, () => {
      const [id, { subject, to, idempotencyKey }] = [newId(), message(domain, nextNumber())]
      return {
        ...{ id, projectId, groupId: id, domainId, status: "queued", admittedStatus: "queued" },
        ...{ fromHeader: "Acme <hello@acme.example>", toHeaders: to, ccHeaders: [], bccHeaders: [], subject },
        ...{
          idempotencyKey,
          messageId: `<${id}@acme.example>`,
          tags: { kind: "order" },
          size: html.length + text.length,
        },
      }
    }),
  })
}
