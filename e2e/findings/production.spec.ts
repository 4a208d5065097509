import { expect, test } from "@playwright/test"
import { newTenant, request } from "@/e2e/support/findings"

// What a load balancer, a proxy and an operator ask. What needs another database or a broken one is in `e2e/chaos` and `lib/worker/plans`.

test("a process says whether it is ready and alive, and a question for a certificate that came through a proxy is refused", async () => {
  for (const path of ["/health/ready", "/health/live"])
    expect([path, (await request("GET", path)).json]).toEqual([path, { status: "ok" }])
  const asked = (headers: Record<string, string>) =>
    request("GET", "/internal/tls-allowed?domain=localhost", undefined, headers)
  expect((await asked({})).status).toBe(200)
  for (const name of ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"])
    expect([name, (await asked({ [name]: "203.0.113.1" })).status]).toEqual([name, 404])
})

test("a range of a script that cannot be served is no fault of the server's", async () => {
  const page = await request("GET", "/sign-in")
  const [script = ""] = /\/_next\/static\/[^"]+\.js/.exec(page.text) ?? []
  for (const range of ["bytes=99999999-", "bytes=a-b"])
    expect([range, (await request("GET", script, undefined, { Range: range })).status < 500]).toEqual([range, true])
})

test("a limit that is reached says so with its number and how long to wait", async () => {
  const tenant = await newTenant()
  const answers = await Promise.all(
    Array.from({ length: 80 }, () =>
      tenant.call("POST", `/v1/projects/${tenant.projectId}/webhooks/preview`, { events: [] }),
    ),
  )
  const limited = answers.filter(({ status }) => status === 429)
  expect(limited.length).toBeGreaterThan(0)
  for (const { headers } of limited) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
})
