import { expect, test } from "vitest"
import { api, newWorld } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"

test("the counts of a project hold what is there, without what was deleted, and nothing of another project", async () => {
  const [own, other] = [await newWorld(), await newWorld()]
  const counts = async ({ apiKey: key, project: projectId }: typeof own) =>
    (await api("GET /v1/projects/{projectId}/counts", { key, params: { projectId } })).json
  const empty = await counts(other)
  expect(empty).toMatchObject({ emails: 0, contacts: 0, segments: 0, topics: 0, suppressions: 0 })

  const within = { key: own.apiKey, params: { projectId: own.project } }
  const topic = (name: string) =>
    api("POST /v1/projects/{projectId}/topics", { ...within, body: { name, defaultSubscription: "opt_in" } })
  const { json: gone } = await topic("Gone")
  await topic("News")
  await api("DELETE /v1/projects/{projectId}/topics/{topicId}", {
    ...within,
    params: { ...within.params, topicId: gone.id },
  })
  await api("POST /v1/projects/{projectId}/contacts", { ...within, body: { email: "ada@lovelace.example" } })
  await api("POST /v1/projects/{projectId}/suppressions", { ...within, body: { email: "no@lovelace.example" } })

  expect(await counts(own)).toMatchObject({ contacts: 1, topics: 1, suppressions: 1, apiKeys: empty.apiKeys })
  expect(await counts(other)).toEqual(empty)
})

test("the counts say how many domains and webhooks need attention, and why", async () => {
  const { apiKey: key, project: projectId, projectId: id } = await newWorld()
  const attention = async () =>
    (await api("GET /v1/projects/{projectId}/counts", { key, params: { projectId } })).json.attention
  expect(await attention()).toEqual({ domains: { degraded: 0, failed: 0 }, webhooks: { failing: 0, stopped: 0 } })
  await pool().query(
    `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, status, records)
      SELECT gen_random_uuid(), $1, status || n || '.example', 'eu-west-1', 'send.' || n, 'links.' || n, status, '[]'
        FROM unnest(ARRAY['verified', 'pending', 'degraded', 'degraded', 'failed']) WITH ORDINALITY AS d(status, n)`,
    [id],
  )
  await pool().query(
    `INSERT INTO webhooks (id, project_id, name, url, events, secret, failing_since, disabled_at, disabled_reason)
      SELECT gen_random_uuid(), $1, 'One', 'https://hooks.example', '{email.sent}', '', failing, disabled, reason
        FROM (VALUES (NULL::timestamptz, NULL::timestamptz, NULL), (now(), NULL, NULL), (NULL, now(), 'paused'),
          (now(), now(), 'failing'), (now(), now(), 'gone')) AS w(failing, disabled, reason)`,
    [id],
  )
  expect(await attention()).toEqual({ domains: { degraded: 2, failed: 1 }, webhooks: { failing: 1, stopped: 2 } })
})
