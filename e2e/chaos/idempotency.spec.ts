import { expect, test } from "@playwright/test"
import { admin } from "@/e2e/support/product"

const long = process.env.MAILROOM_LONG === "1"
const size = long ? { keys: 200, parallel: 50, apiKeys: 40 } : { keys: 20, parallel: 20, apiKeys: 4 }

test(`${size.keys} idempotency keys sent ${size.parallel} times each in parallel over two web processes make exactly ${size.keys} emails`, async ({
  request,
}) => {
  test.setTimeout(300_000)
  const metrics = await (await fetch(process.env.E2E_METRICS_URL ?? "")).text()
  expect(metrics.match(/^mailroom_process_up\{process="web \d+"\} 1$/gm)).toHaveLength(2)
  const dataDir = process.env.E2E_DATA_DIR ?? ""
  const { projectId, apiKey } = await admin(
    dataDir,
    "bootstrap",
    "--email",
    "idempotency@example.com",
    "--password",
    "a long password",
    "--organization",
    "Idempotency",
    "--project",
    "main",
    "--region",
    "eu-west-1",
  )
  await admin(dataDir, "set-limits", "--project", String(projectId), "--per-second", "100000", "--per-day", "1000000")
  const apiKeys = [String(apiKey)]
  while (apiKeys.length < size.apiKeys) {
    apiKeys.push(
      String(
        (await admin(dataDir, "create-key", "--project", String(projectId), "--permissions", "emails:send")).apiKey,
      ),
    )
  }
  const headers = { authorization: `Bearer ${apiKey}` }
  const domain = await (
    await request.post(`/v1/projects/${projectId}/domains`, {
      headers,
      data: { domain: "keys.test", region: "eu-west-1" },
    })
  ).json()
  const status = async () =>
    (await (await request.post(`/v1/projects/${projectId}/domains/${domain.id}/verify`, { headers })).json()).status
  await expect.poll(status, { timeout: 20_000, intervals: [1_000] }).toBe("verified")

  const sends = Array.from({ length: size.keys * size.parallel }, (_, index) => index)
  const answers = await inLanes(64, sends, async (index) => {
    const response = await fetch(`${process.env.E2E_BASE_URL}/v1/emails`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKeys[index % apiKeys.length]}`, "content-type": "application/json" },
      body: JSON.stringify({
        from: "hello@keys.test",
        to: ["ada@lovelace.example"],
        subject: `Try ${index}`,
        text: "x",
        testMode: true,
        idempotencyKey: `order-${Math.floor(index / size.parallel)}`,
      }),
    })
    return {
      key: Math.floor(index / size.parallel),
      status: response.status,
      replayed: response.headers.has("idempotent-replayed"),
      body: await response.json(),
    }
  })

  const other = answers.filter(({ status, body }) => status !== 201 && body.code !== "email.idempotency_conflict")
  expect(other.map(({ status, body }) => `${status} ${body.code}`)).toEqual([])
  for (let key = 0; key < size.keys; key++) {
    const made = answers.filter((answer) => answer.key === key && answer.status === 201)
    expect(new Set(made.map(({ body }) => body.id)).size, `key ${key}`).toBe(1)
    expect(
      made.filter(({ replayed }) => !replayed),
      `key ${key}`,
    ).toHaveLength(1)
  }
  const log = await (await request.get(`/v1/projects/${projectId}/emails`, { headers })).json()
  expect(log.page.total).toBe(size.keys)
})

/** Runs `act` on every item, so many at a time. */
async function inLanes<T, R>(lanes: number, items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      const at = next++
      results[at] = await act(items[at] as T)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}
