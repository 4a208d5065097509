import { setTimeout as wait } from "node:timers/promises"
import { expect, test } from "@playwright/test"
import { createSampleOrganization } from "@/e2e/support/sample-organization"

const perSecond = 50

test(`a key revoked under ${perSecond} requests a second over all web processes is refused within a second`, async () => {
  const { baseUrl, projectId, apiKey, cookie, ids } = await createSampleOrganization(`revoked-${Date.now()}`)
  const answers: { startedAt: number; status: number }[] = []
  let stopped = false
  const asking = (async () => {
    const all: Promise<unknown>[] = []
    const beganAt = performance.now()
    while (!stopped) {
      // By the clock: timers come late on a busy machine.
      const due = ((performance.now() - beganAt) * perSecond) / 1_000
      while (all.length < due) all.push(ask())
      await wait(1_000 / perSecond)
    }
    await Promise.all(all)
  })()
  async function ask() {
    const startedAt = Date.now()
    // A connection of its own each time, so that every process is asked.
    const headers = { authorization: `Bearer ${apiKey}`, connection: "close" }
    const { status } = await fetch(`${baseUrl}/v1/emails/${ids.emailId}`, { headers })
    answers.push({ startedAt, status })
  }

  await expect.poll(() => answers.filter(({ status }) => status === 200).length).toBeGreaterThan(perSecond)
  const path = `${baseUrl}/v1/projects/${projectId}/api-keys/${ids.keyId}`
  const revoked = await fetch(path, { method: "DELETE", headers: { cookie, "sec-fetch-site": "same-origin" } })
  expect(revoked.status).toBe(204)
  const revokedAt = Date.now()
  const late = () => answers.filter(({ startedAt }) => startedAt > revokedAt + 1_000)
  await expect.poll(() => late().length, { timeout: 30_000 }).toBeGreaterThan(perSecond)
  stopped = true
  await asking

  expect(new Set(late().map(({ status }) => status))).toEqual(new Set([401]))
})
