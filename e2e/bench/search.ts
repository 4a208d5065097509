import { formatNumber } from "@/lib/platform/format"
import { indexQueued } from "@/lib/emails/search/data"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import { KeyRing } from "@/e2e/bench/key-ring"
import { askOnce, loadFor, quantile, requestOf } from "@/e2e/bench/load"
import { message, nextNumber } from "@/e2e/bench/messages"
import type { Stage } from "@/e2e/bench/stage"
import { ratio, type Row } from "@/e2e/bench/table"
import type { World } from "@/e2e/bench/world"

/** What people wait for without noticing. */
const goalMs = 100
const asksOfKind = 40
const batchSize = 100

const first = ["ada", "ben", "clara", "diego", "elif", "farid", "grace", "hugo", "ines", "jana", "kofi", "leo", "mila"]
const last = ["novak", "chen", "okafor", "silva", "bakker", "lindqvist", "haddad", "moreau", "rossi", "tanaka", "weber"]
const subjects = [
  ...["Your order % is on its way", "Your order % is confirmed", "Invoice % for November", "How was order %?"],
  ...["New sign-in to your account", "Set a new password", "The Friday Letter: a small sale, an early start"],
]

/** First results of the search over as many emails, by what is typed, and what its index costs an accept. */
export async function measureSearch(
  stage: Stage,
  world: World,
  plan: { rounds: number; ms: number; emails: number },
): Promise<Row[]> {
  await fill(world, plan.emails)
  const builtMs = await index()
  const rows: Row[] = []
  for (const [kind, wordsAt] of Object.entries(kindsOf(await someIds(world)))) {
    const took = await ask(stage.one, world, wordsAt)
    rows.push({
      what: `search ${formatNumber(plan.emails)} emails: ${kind}`,
      measured: `p50 ${quantile(took, 0.5).toFixed(1)}, p95 ${quantile(took, 0.95).toFixed(1)}, max ${took.at(-1)?.toFixed(1)} ms`,
      ...{ value: quantile(took, 0.95), unit: "ms", goal: goalMs, atMost: true },
    })
  }
  return [...rows, await size(plan.emails, builtMs), await writeCost(stage, world, plan)]
}

/** What people type, another text each time. */
function kindsOf(ids: string[]): Record<string, (at: number) => string> {
  const of = (list: readonly string[], at: number) => list[at % list.length] ?? ""
  return {
    "rare, an order's number": (at) => String(100_000 + 17 * at),
    frequent: (at) => of(["order", "example", "your", "acme"], at),
    "no match": (at) => `nobody-${at}`,
    "no match of frequent parts": (at) => of(["orderly", "invoiced", "novakova", "passwords", "letters"], at),
    "part of an address": (at) => `${of(last, at)}.${of(first, at).slice(0, 2)}`,
    "word of a subject": (at) => of(["password", "invoice", "letter", "confirmed"], at),
    "two words": (at) => `${of(last, at)} ${of(["invoice", "password", "friday"], at)}`,
    "one and two letters": (at) => of(["n", "no", "x", "zz", "qu", "7"], at),
    id: (at) => of(ids, at),
    "beginning of an id": (at) => of(ids, at).slice(0, 18),
  }
}

async function ask(port: number, world: World, wordsAt: (at: number) => string): Promise<number[]> {
  const key = new KeyRing(world.keys, 1_000).connection()
  const took: number[] = []
  for (let at = 0; at < asksOfKind + 2; at++) {
    const search = encodeURIComponent(wordsAt(at))
    const startedAt = performance.now()
    await askOnce(port, requestOf("GET", `/v1/projects/${world.project}/emails?search=${search}`, { key: key() }))
    // The first ones prepare and compile.
    if (at >= 2) took.push(performance.now() - startedAt)
  }
  return took.sort((a, b) => a - b)
}

/** Emails of the past 30 days with names, domains and subjects as shops have them. */
async function fill({ projectId, domainId }: World, emails: number) {
  const client = await pool().connect()
  try {
    await client.query("SET statement_timeout = 0")
    await client.query(
      `INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers, cc_headers,
          bcc_headers, subject, message_id, tags, size, sent_at, created_at, updated_at)
        SELECT m.id, $1, m.id, 'delivered', 'queued', $2, 'Acme <hello@acme.example>',
            ARRAY[initcap(m.first || ' ' || m.last) || ' <' || m.last || '.' || m.first || m.h % 4000 || '@mail' || m.h % 300 || '.example>'],
            '{}', '{}', replace(m.subject, '%', m.n::text), '<' || m.id || '@acme.example>', '{"kind":"order"}', 2000, m.at, m.at, m.at
          FROM (
            SELECT n, h, t.at, ($4::text[])[1 + h % cardinality($4::text[])] AS first,
                ($5::text[])[1 + h / 7 % cardinality($5::text[])] AS last,
                ($6::text[])[1 + h / 91 % cardinality($6::text[])] AS subject,
                (left(first_id_at(t.at)::text, 14) || '7' || substr(md5(n::text), 1, 3) || '-8' || substr(md5(n::text), 4, 3)
                || '-' || substr(md5(n::text), 7, 12))::uuid AS id
              FROM generate_series(1, $3::int) n, LATERAL (SELECT now() - interval '30 days' * (1 - n::float8 / $3) AS at) t,
                LATERAL (SELECT abs(hashint4(n))::bigint AS h) hashed
          ) m`,
      [projectId, domainId, emails, first, last, subjects],
    )
    await client.query("VACUUM (ANALYZE) emails")
  } finally {
    client.release(true)
  }
}

/** What the worker does, in this process; how long it took. */
async function index(): Promise<number> {
  const startedAt = performance.now()
  while (await indexQueued()) continue
  const took = performance.now() - startedAt
  const client = await pool().connect()
  try {
    await client.query("SET statement_timeout = 0")
    await client.query("VACUUM (ANALYZE) email_search_groups, email_search_queue")
  } finally {
    client.release(true)
  }
  return took
}

async function someIds({ projectId }: World): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM emails WHERE project_id = $1 ORDER BY md5(id::text) LIMIT 50",
    [projectId],
  )
  return rows.map(({ id }) => encodeId("email", id))
}

async function size(emails: number, builtMs: number): Promise<Row> {
  const { rows } = await pool().query<{ bytes: string; grams: string; log: string }>(
    `SELECT pg_total_relation_size('email_search_groups') AS bytes, pg_relation_size('email_search_groups_grams') AS grams,
      pg_total_relation_size('emails') AS log`,
  )
  const [mb, gramsMb, logMb] = [rows[0]?.bytes, rows[0]?.grams, rows[0]?.log].map((bytes) => Number(bytes) / 1e6)
  return {
    what: `the search's index of ${formatNumber(emails)} emails`,
    measured: `${mb?.toFixed(0)} MB, of them ${gramsMb?.toFixed(0)} of hashes; emails ${logMb?.toFixed(0)} MB; built at ${((1_000 * emails) / builtMs).toFixed(0)} emails/s`,
  }
}

/** Batches that are accepted with the trigger that queues them for the search, and without it, alternating. */
async function writeCost(stage: Stage, world: World, { rounds, ms }: { rounds: number; ms: number }): Promise<Row> {
  const ring = new KeyRing(world.keys, 29)
  const load = async () =>
    batchSize * (await loadFor(stage.one, () => batchAsk(world, ring), { connections: 4, ms })).perSecond
  const measured = { queued: [] as number[], plain: [] as number[] }
  await load()
  for (let round = 0; round < rounds; round++) {
    measured.queued.push(await load())
    await pool().query("ALTER TABLE emails DISABLE TRIGGER emails_queued_for_search")
    measured.plain.push(await load())
    await pool().query("ALTER TABLE emails ENABLE TRIGGER emails_queued_for_search")
  }
  return {
    what: `batches of ${batchSize} accepted with the search's queue / without it`,
    measured: Object.entries(measured)
      .map(([way, rates]) => `${way} ${Math.max(...rates).toFixed(0)}/s`)
      .join(", "),
    ratio: ratio(measured.queued, measured.plain),
    goal: 0.9,
  }
}

function batchAsk({ domain }: World, ring: KeyRing) {
  const key = ring.connection()
  return () => {
    const items = Array.from({ length: batchSize }, () => message(domain, nextNumber()))
    return requestOf("POST", "/v1/emails/batch", { key: key(), body: JSON.stringify({ items }) })
  }
}
