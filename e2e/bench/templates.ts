import { setTimeout as wait } from "node:timers/promises"
import { startSink } from "@/e2e/bench/delivery"
import { KeyRing } from "@/e2e/bench/key-ring"
import { askOnce, requestOf } from "@/e2e/bench/load"
import { html, text } from "@/e2e/bench/messages"
import type { Stage } from "@/e2e/bench/stage"
import { median, ratio, type Row } from "@/e2e/bench/table"
import type { World } from "@/e2e/bench/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"

const pollEveryMs = 250
const kinds = ["plain", "template"] as const

/**
 * Recipients a second of a broadcast whose template shows a name with a fallback and a property of each contact, beside the same
 * broadcast without placeholders: from its creation to the last email that a server on this machine has taken.
 */
export async function measureTemplates(
  stage: Stage,
  world: World,
  { rounds, recipients }: { rounds: number; recipients: number },
): Promise<Row[]> {
  const key = new KeyRing(world.keys, 29).connection()
  const ask = async (path: string, body: object) => {
    const request = requestOf("POST", `/v1/projects/${world.project}${path}`, {
      key: key(),
      body: JSON.stringify(body),
    })
    return (await askOnce(stage.one, request)) as { id: string }
  }
  await ask("/contact-properties", { key: "plan", type: "string" })
  const segment = await newSegment(world, recipients)
  const greeted = (name: string, plan: string) => ({
    ...{ subject: `${name}, what is new`, text: `Hi ${name}, you are on ${plan}.\n${text}` },
    html: html.replace("<body>", `<body><h1>Hi ${name}</h1><p>You are on ${plan}.</p>`),
  })
  const template = await ask("/templates", {
    ...{ name: "news", ...greeted("{{contact.firstName | there}}", "{{contact.plan | the free plan}}") },
  })
  await ask(`/templates/${template.id}/publish`, {})
  const contents = { plain: greeted("reader", "the free plan"), template: { template: { id: template.id } } }
  const sink = await startSink()
  const worker = await stage.startWorker(`smtp://127.0.0.1:${sink.port}?tls=none&delivered=accept&connections=10`)
  const rates = { plain: [] as number[], template: [] as number[] }

  async function send(kind: (typeof kinds)[number]): Promise<number> {
    const begun = performance.now()
    const from = `Acme <hello@${world.domain}>`
    const { id } = await ask("/broadcasts", { from, to: [segment], ...contents[kind], idempotencyKey: newId() })
    await delivered(id, recipients)
    return (recipients * 1_000) / (performance.now() - begun)
  }

  try {
    for (const kind of kinds) await send(kind)
    await pool().query("ANALYZE emails, deliveries, email_bodies")
    for (let round = 0; round < rounds; round++)
      // In turns: each finds more email in the tables than the one before.
      for (const kind of round % 2 ? kinds.toReversed() : kinds) rates[kind].push(await send(kind))
  } finally {
    await worker.stop()
    await sink.stop()
  }
  return [
    {
      what: `recipients a second of a broadcast of ${recipients.toLocaleString("en")} with a template / without one`,
      measured: `with ${median(rates.template).toFixed(0)}/s, without ${median(rates.plain).toFixed(0)}/s`,
      ratio: ratio(rates.template, rates.plain),
      goal: 0.9,
    },
  ]
}

/** A segment of new contacts, of which every third has no name and every second no plan. */
async function newSegment({ projectId }: World, count: number): Promise<string> {
  const id = newId()
  await pool().query("INSERT INTO segments (id, project_id, name) VALUES ($1, $2, 'Readers')", [id, projectId])
  await pool().query(
    `WITH added AS (
        INSERT INTO contacts (id, project_id, email, first_name, properties)
          SELECT gen_random_uuid(), $1, 'r' || n || '@readers.example', CASE WHEN n % 3 > 0 THEN 'Person ' || n END,
              CASE WHEN n % 2 > 0 THEN '{"plan":"the large plan"}'::jsonb ELSE '{}' END
            FROM generate_series(1, $3::int) n RETURNING id)
      INSERT INTO segment_members (project_id, segment_id, contact_id) SELECT $1, $2, id FROM added`,
    [projectId, id, count],
  )
  await pool().query("ANALYZE contacts, segment_members")
  return encodeId("seg", id)
}

/** Waits until every recipient of the broadcast has its email. */
async function delivered(broadcast: string, count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool().query<{ done: number }>(
      `SELECT count(*)::int AS done FROM emails e JOIN deliveries d ON d.email_id = e.id
        WHERE e.broadcast_id = $1 AND d.status = 'delivered'`,
      [decodeId("bc", broadcast)],
    )
    if (Number(rows[0]?.done) >= count) return
    await wait(pollEveryMs)
  }
}
