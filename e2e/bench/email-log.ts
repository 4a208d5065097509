import { formatNumber } from "@/lib/platform/format"
import { readEmails } from "@/lib/emails/log/data"
import { type EmailRow, emailShape, toEmail } from "@/lib/emails/data"
import { pool } from "@/lib/platform/database/db"
import { columnsOf } from "@/lib/platform/database/shape"
import type { Scope } from "@/lib/platform/http/scope"
import { KeyRing } from "@/e2e/bench/key-ring"
import { loadAt, loadFor, requestOf, type Load } from "@/e2e/bench/load"
import type { Stage } from "@/e2e/bench/stage"
import { median, ratio, type Row } from "@/e2e/bench/table"
import type { World } from "@/e2e/bench/world"

const pageSize = 20
const readsPerRound = 100
/** Leaves the rest that follows a page far from the first. */
const deepPerSecond = 5

/** The first page of the email log and its last, of as many emails, over HTTP. */
export async function measureLog(
  stage: Stage,
  world: World,
  plan: { rounds: number; ms: number; emails: number },
): Promise<Row[]> {
  await fill(world, plan.emails)
  const lastPage = Math.floor(plan.emails / pageSize)
  const ring = new KeyRing(world.keys, 1_000_000)
  const pageAsk = (page: number) => () => {
    const request = requestOf("GET", `/v1/projects/${world.project}/emails?size=${pageSize}&page=${page}`, {
      key: ring.connection()(),
    })
    return () => request
  }
  const floorAsk = () => () => requestOf("GET", "/echo", {})
  const { ms } = plan
  await loadFor(stage.one, pageAsk(1), { connections: 16, ms })

  const measured = { first: [] as Load[], floor: [] as Load[], alone: [] as Load[], deep: [] as number[] }
  for (let round = 0; round < plan.rounds; round++) {
    measured.floor.push(await loadFor(stage.floor, floorAsk, { connections: 16, ms }))
    measured.first.push(await loadFor(stage.one, pageAsk(1), { connections: 16, ms }))
    measured.alone.push(await loadFor(stage.one, pageAsk(1), { connections: 1, ms }))
    const deepLoad = { connections: 1, perSecond: deepPerSecond, ms }
    await loadAt(stage.one, pageAsk(lastPage), deepLoad, (tookMs) => measured.deep.push(tookMs))
  }
  const reads = await readsOf(world, plan.rounds * readsPerRound)
  const rates = (loads: Load[]) => loads.map(({ perSecond }) => perSecond)
  const took = (loads: Load[]) => median(loads.map(({ p50Ms }) => p50Ms))
  const count = formatNumber(plan.emails)
  return [
    {
      what: `first page of ${pageSize} of ${count} emails, c=16 / bare handler`,
      measured: `page ${median(rates(measured.first)).toFixed(0)}/s, bare ${median(rates(measured.floor)).toFixed(0)}/s`,
      ratio: ratio(rates(measured.first), rates(measured.floor)),
      goal: 1.5,
    },
    {
      what: `page ${formatNumber(lastPage)} of ${count} emails, c=1`,
      measured: `first page ${took(measured.alone).toFixed(1)} ms, this one ${median(measured.deep).toFixed(1)} ms`,
      value: median(measured.deep),
      unit: "ms",
      goal: 60,
      atMost: true,
    },
    {
      what: `first page of ${pageSize} of ${count} emails with their total / the same rows by a key, in process`,
      measured: `page ${median(reads.page).toFixed(2)} ms, by key ${median(reads.key).toFixed(2)} ms`,
      ratio: median(reads.page) / median(reads.key),
      goal: 1.3,
      atMost: true,
    },
  ]
}

/** What the list reads for its first page, and what a list without `page` and `total` would read, alternating. */
async function readsOf({ projectId }: World, times: number): Promise<{ page: number[]; key: number[] }> {
  const scope = { project: { id: projectId } } as Scope
  const reads = {
    page: () => readEmails(scope, {}, { page: 1, size: pageSize }),
    key: async () =>
      (await pool().query<EmailRow>(byKey, [projectId, afterAll, pageSize])).rows.map((row) => toEmail(row)),
  }
  const took = { page: [] as number[], key: [] as number[] }
  for (let turn = 0; turn < times; turn++) {
    for (const way of ["page", "key"] as const) {
      const startedAt = performance.now()
      await reads[way]()
      // The first turns prepare and compile.
      if (turn >= times / 5) took[way].push(performance.now() - startedAt)
    }
  }
  return took
}

const byKey = `SELECT ${columnsOf(emailShape, "e")} FROM emails e WHERE e.project_id = $1 AND e.id < $2 ORDER BY e.id DESC LIMIT $3`
/** Behind every id. */
const afterAll = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** Emails of the past 30 days by one statement, and the counter that the list's total is read from. */
async function fill({ projectId, domainId }: World, emails: number) {
  const client = await pool().connect()
  try {
    await client.query("SET statement_timeout = 0")
    await client.query(
      `INSERT INTO emails (id, project_id, group_id, status, admitted_status, domain_id, from_header, to_headers, cc_headers,
          bcc_headers, subject, message_id, tags, size, sent_at, created_at, updated_at)
        SELECT m.id, $1, m.id, 'delivered', 'queued', $2, 'Acme <hello@acme.example>', ARRAY['person' || m.n || '@customers.example'],
            '{}', '{}', 'Your order ' || m.n || ' is on its way', '<' || m.id || '@acme.example>', '{"kind":"order"}', 2000,
            m.at, m.at, m.at
          FROM (
            SELECT n, t.at, (left(first_id_at(t.at)::text, 14) || '7' || substr(md5(n::text), 1, 3) || '-8' || substr(md5(n::text), 4, 3)
                || '-' || substr(md5(n::text), 7, 12))::uuid AS id
              FROM generate_series(1, $3::int) n, LATERAL (SELECT now() - interval '30 days' * (1 - n::float8 / $3) AS at) t
          ) m`,
      [projectId, domainId, emails],
    )
    await client.query("UPDATE send_allowances SET emails = $2 WHERE project_id = $1", [projectId, emails])
    await client.query("VACUUM (ANALYZE) emails")
  } finally {
    client.release(true)
  }
}
