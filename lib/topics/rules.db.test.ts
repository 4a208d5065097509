import fc from "fast-check"
import { expect, test } from "vitest"
import { api, newWorld } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, newId } from "@/lib/platform/ids"
import { subscriptions } from "@/lib/consent/rules"
import { leftTopic, topicState, type TopicFacts } from "@/lib/topics/rules"
import { assertInTime } from "@/e2e/support/properties"

const topicFacts: fc.Arbitrary<TopicFacts> = fc.record({
  contact: fc.option(fc.record({ explicit: fc.option(fc.constantFrom(...subscriptions)) })),
  leftByLink: fc.boolean(),
})

test("SQL and TypeScript decide the same for every address, whatever is known of it and whatever the topic's default", async () => {
  const { projectId } = await newWorld()
  const populations = fc.record({
    byDefault: fc.constantFrom(...subscriptions),
    deleted: fc.boolean(),
    known: fc.array(topicFacts, { minLength: 1, maxLength: 40 }),
  })
  await assertInTime(
    fc.asyncProperty(populations, async ({ byDefault, deleted, known }) => {
      const topicId = newId()
      const people = known.map((one) => ({ ...one, id: newId(), email: `${newId()}@x.example` }))
      const contacts = people.filter(({ contact }) => contact)
      await pool().query(
        "INSERT INTO topics (id, project_id, name, default_subscription, deleted_at) VALUES ($1, $2, 'News', $3, CASE WHEN $4 THEN now() END)",
        [topicId, projectId, byDefault, deleted],
      )
      await pool().query(
        "INSERT INTO contacts (id, project_id, email) SELECT id, $1, email FROM unnest($2::uuid[], $3::text[]) AS c(id, email)",
        [projectId, contacts.map(({ id }) => id), contacts.map(({ email }) => email)],
      )
      const explicit = contacts.filter(({ contact }) => contact?.explicit)
      await pool().query(
        `INSERT INTO topic_preferences (project_id, topic_id, contact_id, subscription)
          SELECT $1, $2, id, subscription FROM unnest($3::uuid[], $4::text[]) AS p(id, subscription)`,
        [projectId, topicId, explicit.map(({ id }) => id), explicit.map(({ contact }) => contact?.explicit)],
      )
      await pool().query(
        "INSERT INTO topic_opt_outs (project_id, topic_id, email) SELECT $1, $2, email FROM unnest($3::text[]) AS email",
        [projectId, topicId, people.filter(({ leftByLink }) => leftByLink).map(({ email }) => email)],
      )
      const { rows } = await pool().query<{ left_topic: boolean; topic_state: string | null }>(
        `SELECT left_topic($1, $2, p.email), topic_state($1, $2, p.id)
          FROM unnest($3::uuid[], $4::text[]) WITH ORDINALITY AS p(id, email, at) ORDER BY at`,
        [projectId, topicId, people.map(({ id }) => id), people.map(({ email }) => email)],
      )
      // A deleted topic has no state, and its mail is withheld from everybody.
      expect(rows).toEqual(
        known.map((one) => ({
          left_topic: deleted || leftTopic(one, byDefault),
          topic_state: deleted ? null : topicState(one.contact?.explicit, byDefault),
        })),
      )
    }),
    { numRuns: 60 },
  )
})

test("the list of contacts by topic, its total, the topic's effective audience and the segment filter are whom the function lets in", async () => {
  const world = await newWorld()
  const params = { projectId: world.project }
  for (const byDefault of subscriptions) {
    const body = { name: byDefault, defaultSubscription: byDefault }
    const { json: topic } = await api("POST /v1/projects/{projectId}/topics", { key: world.apiKey, params, body })
    for (const said of [undefined, "opt_in", "opt_out", undefined]) {
      const preferences = said ? { topics: [{ id: topic.id, subscription: said }] } : {}
      await api("POST /v1/projects/{projectId}/contacts", {
        key: world.apiKey,
        params,
        body: { email: `${newId()}@x.example`, ...preferences },
      })
    }
    const { rows } = await pool().query<{ email: string }>(
      "SELECT email FROM contacts WHERE project_id = $1 AND NOT left_topic($1, $2, email) ORDER BY id DESC",
      [world.projectId, decodeId("top", topic.id)],
    )
    const expected = rows.map(({ email }) => email)
    const filter = { all: [{ field: "topic", topicId: topic.id, operator: "is", value: "opt_in" }] }
    for (const folded of [false, true]) {
      if (folded) await pool().query("SELECT fold_counts(1000)")
      const listed = await api("GET /v1/projects/{projectId}/contacts", {
        key: world.apiKey,
        params,
        query: { topicId: topic.id },
      })
      expect(listed.json.data.map(({ email }: { email: string }) => email)).toEqual(expected)
      expect(listed.json.page.total).toBe(expected.length)
      const found = await api("GET /v1/projects/{projectId}/topics/{topicId}", {
        key: world.apiKey,
        params: { ...params, topicId: topic.id },
      })
      expect(found.json.effectiveCount).toBe(expected.length)
    }
    const search = await api("GET /v1/projects/{projectId}/contacts", {
      key: world.apiKey,
      params,
      query: { topicId: topic.id, search: "x.example" },
    })
    expect(search.json.page.total).toBe(expected.length)
    const preview = await api("POST /v1/projects/{projectId}/segments/preview", {
      key: world.apiKey,
      params,
      body: { filter },
    })
    expect(preview.json.count).toBe(expected.length)
  }
})
