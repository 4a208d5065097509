import { expect, test } from "vitest"
import { api, newWorld } from "@/e2e/support/world"

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
