import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { expect, test } from "@playwright/test"
import { admin } from "@/e2e/support/product"
import { regionNames } from "@/lib/regions/regions"

// The README's own lines, taken from it, run by a shell: what it promises a newcomer is what is tested.
const readme = readFileSync("README.md", "utf8")

function line(name: string): string {
  const block = new RegExp(`<!-- run: ${name} -->\n+\`\`\`sh\n([\\s\\S]*?)\n\`\`\``).exec(readme)?.[1]
  if (!block) throw new Error(`The README has no line to run that is named ${name}.`)
  return block
}

/** What the README has its reader set for a variable. */
function exported(name: string): string {
  return new RegExp(`^export ${name}=(\\S+)`, "m").exec(readme)?.[1] ?? ""
}

function shell(script: string, env: Record<string, string>, ended?: AbortSignal) {
  const child = spawn("bash", ["-c", script], {
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...env },
    detached: true,
  })
  let said = ""
  child.stdout.on("data", (text: Buffer) => (said += text.toString()))
  ended?.addEventListener("abort", () => child.pid && process.kill(-child.pid))
  const done = new Promise<string>((resolve) => child.on("close", () => resolve(said)))
  return { said: () => said, done }
}

test("with the README's curl lines an email goes from 201 to delivered, to the sandbox mailbox and to the stream", async ({
  request,
}) => {
  const { projectId, apiKey } = await admin(
    process.env.E2E_DATA_DIR ?? "",
    "bootstrap",
    "--email",
    "readme@example.com",
    "--password",
    "a long password",
    "--organization",
    "Readme",
    "--project",
    "main",
    "--region",
    // What the first run preselects, and the README names.
    regionNames[0],
  )
  const env = {
    MAILROOM: process.env.E2E_BASE_URL ?? "",
    PROJECT: String(projectId),
    KEY: String(apiKey),
    REGION: exported("REGION"),
  }
  const domain = JSON.parse(await shell(line("add-domain"), env).done)
  expect(domain).toMatchObject({ domain: "acme.test", status: "pending" })
  await expect
    .poll(async () => JSON.parse(await shell(line("verify"), { ...env, DOMAIN: domain.id }).done).status, {
      timeout: 20_000,
      intervals: [1_000],
    })
    .toBe("verified")

  const end = new AbortController()
  const stream = shell(line("listen"), env, end.signal)
  await expect.poll(stream.said, { timeout: 10_000 }).toContain(":")
  const email = JSON.parse(await shell(line("send"), env).done)
  expect(email.status).toBe("queued")
  const headers = { authorization: `Bearer ${apiKey}` }
  const status = async () => (await (await request.get(`/v1/emails/${email.id}`, { headers })).json()).status
  await expect.poll(status, { timeout: 20_000 }).toBe("delivered")
  await expect.poll(stream.said, { timeout: 10_000 }).toContain('"delivered"')
  end.abort()
  const events = stream
    .said()
    .split("\n")
    .filter((one) => one.startsWith("data: "))
    .map((one) => JSON.parse(one.slice(6)))
  expect(events.filter(({ emailId }) => emailId === email.id).map(({ type }) => type)).toEqual(["sent", "delivered"])

  const mailbox = await (await request.get(`/v1/projects/${projectId}/sandbox/messages`, { headers })).json()
  expect(mailbox.data).toHaveLength(1)
  expect(mailbox.data[0]).toMatchObject({
    emailId: email.id,
    subject: "Hello",
    dkim: "pass",
    spf: "pass",
    dmarc: "pass",
  })

  const returned = (await shell(line("come-back"), env).done).trim().split("\n")
  const ids = returned.map((one) => (JSON.parse(one) as { id: string }).id)
  const statuses = () =>
    Promise.all(ids.map(async (id) => (await (await request.get(`/v1/emails/${id}`, { headers })).json()).status))
  await expect.poll(statuses, { timeout: 40_000 }).toEqual(["bounced", "complained"])
})

test("every problem type is a page, every operation's document is served, and strange paths are problems", async ({
  request,
  page,
}) => {
  const document = await (await request.get("/v1/openapi.json")).json()
  expect(document.openapi).toBe("3.1.0")
  const refused = await request.get("/v1/projects")
  expect(refused.status()).toBe(401)
  const { type } = await refused.json()
  await page.goto(type)
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Credentials missing")
  for (const path of ["/v1", "/v1/nope", "/v1/projects/", "//v1/projects", "/v1/%E0%A4%A", "/V1/projects"]) {
    const answer = await fetch(`${process.env.E2E_BASE_URL}${path}`, { redirect: "manual" })
    expect([path, answer.status]).toEqual([path, 404])
    if (path !== "/V1/projects") expect(answer.headers.get("content-type")).toBe("application/problem+json")
  }
  const put = await request.put("/v1/projects", { data: {} })
  expect([put.status(), put.headers().allow]).toEqual([405, "GET, HEAD, POST"])
  expect((await request.get("/health/live")).ok()).toBe(true)
  expect((await request.get("/health/ready")).ok()).toBe(true)
})
