import { execFileSync, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, test } from "@playwright/test"
import { transformSync } from "esbuild"
import { Webhook } from "standardwebhooks"
import { guidePermissions, guideSamples, type GuideSample } from "@/e2e/support/guide-samples"
import { admin } from "@/e2e/support/product"
import { signIn } from "@/e2e/support/sample-organization"
import { regionNames } from "@/lib/regions/regions"
import { guideSource } from "@/lib/docs/guides"
import { nobody, permissionsFor } from "@/lib/docs/reader-rules"

// What the guides print is what is run, against the running product.

const ran = new Set<string>()
let samples: GuideSample[] = []
let folder = ""
const keys = new Map<string, string>()
const keyIds = new Map<string, string>()
const made = { DOMAIN: "", EMAIL: "" }
let [project, session] = [{ id: "", name: "main", region: "" }, {} as Record<string, string>]

test.beforeAll(async ({ request }) => {
  mkdirSync("node_modules/.cache", { recursive: true })
  // Below node_modules, so that samples find the packages that they import.
  folder = resolve(mkdtempSync("node_modules/.cache/guides-"))
  // As a new user's, who leaves every default of the first run.
  const [region] = regionNames
  const person = { email: `guides-${Date.now()}@example.com`, password: "a long password" }
  const { projectId } = await admin(
    process.env.E2E_DATA_DIR ?? "",
    "bootstrap",
    ...["--email", person.email, "--password", person.password],
    ...["--organization", "Guides", "--project", "main", "--region", region],
  )
  const baseUrl = process.env.E2E_BASE_URL ?? ""
  project = { id: String(projectId), name: "main", region }
  samples = guideSamples({ ...nobody, baseUrl, project })
  session = { cookie: await signIn(baseUrl, "password", person), "sec-fetch-site": "same-origin" }
  // More than the ten of a new project.
  await admin(process.env.E2E_DATA_DIR ?? "", "set-limits", "--project", project.id, "--max-api-keys", "50")
  // Each guide has a key that may do what the guide says, and no more.
  for (const [guide, permissions] of guidePermissions) {
    const data = { name: guide, permissions }
    const created = await request.post(`/v1/projects/${project.id}/api-keys`, { data, headers: session })
    expect([guide, created.status()]).toEqual([guide, 201])
    const { apiKey, id } = (await created.json()) as { apiKey: string; id: string }
    keys.set(guide, apiKey)
    keyIds.set(guide, id)
  }
})

test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

function take(guide: string, name: string): string {
  const sample = samples.find((one) => one.guide === guide && one.name === name)
  if (!sample) throw new Error(`The guide ${guide} has no sample ${name}.`)
  ran.add(`${guide}/${name}`)
  return sample.code
}

/** The lines that a guide has its reader set, with what the reader puts in place of each placeholder. */
function settings(guide: string): string {
  return take(guide, "variables")
    .replace("mr_live_…", keys.get(guide) ?? "")
    .replace("dom_…", made.DOMAIN)
    .replace("email_…", made.EMAIL)
}

// Nothing but what a shell has: what the samples need, the guides set.
const surroundings = () => ({ PATH: process.env.PATH ?? "", HOME: folder, NODE_ENV: "production" as const })

function bash(script: string): string {
  return execFileSync("bash", ["-ec", script], { encoding: "utf8", env: surroundings(), cwd: folder, timeout: 200_000 })
}

function shell(guide: string, name: string, before = ""): string {
  return bash(`${settings(guide)}\n${before}${take(guide, name)}`)
}

/** Runs a program of a guide after the lines that set its variables. */
function program(guide: string, name: string, file: string, command: string): string {
  const code = take(guide, name)
  writeFileSync(
    join(folder, file),
    /\.m?js$/.test(file) ? transformSync(code, { loader: "ts", format: "esm" }).code : code,
  )
  const { stdout, stderr, status } = spawnSync("bash", ["-ec", `${settings(guide)}\n${command} ${file}`], {
    encoding: "utf8",
    env: surroundings(),
    cwd: folder,
    timeout: 40_000,
  })
  expect([status, stderr]).toEqual([0, ""])
  return stdout.trim()
}

const typeScript = (guide: string, name: string) => program(guide, name, `${guide}-${name}.mjs`, "node")

test("quickstart: in one shell a domain, the wait for it, an email and its explanation, then TypeScript and Python", async () => {
  const steps = ["add-domain", "wait", "send"].map((name) => take("quickstart", name)).join("\n")
  const said = bash(`${settings("quickstart")}\n${steps}\necho "$DOMAIN $EMAIL"`)
  expect(said).toMatch(/\n"status":"verified"\n\{"id":"email_.*\ndom_\w+ email_\w+\n$/)
  const [, domain = "", email = ""] = /(dom_\w+) (email_\w+)\n$/.exec(said) ?? []
  Object.assign(made, { DOMAIN: domain, EMAIL: email })
  expect(typeScript("quickstart", "send-typescript")).toMatch(/^email_\w+ queued$/)
  if (has("python3")) expect(program("quickstart", "send-python", "send.py", "python3")).toMatch(/^email_\w+ queued$/)
  const explanation = () => (JSON.parse(shell("quickstart", "explain", `EMAIL=${email}\n`)) as { cause: string }).cause
  await expect
    .poll(explanation, { timeout: 20_000, intervals: [1_000] })
    .toBe("The sandbox on this machine captured the message for ada@lovelace.example.")
})

test("quickstart: mail comes back for two emails, as a bounce and as a complaint", async ({ request }) => {
  const said = shell("quickstart", "come-back").trim().split("\n")
  const ids = said.map((line) => (JSON.parse(line) as { id: string }).id)
  expect(ids).toHaveLength(2)
  const headers = { authorization: `Bearer ${keys.get("quickstart")}` }
  const statuses = () =>
    Promise.all(ids.map(async (id) => (await (await request.get(`/v1/emails/${id}`, { headers })).json()).status))
  await expect.poll(statuses, { timeout: 40_000, intervals: [1_000] }).toEqual(["bounced", "complained"])
})

test("quickstart: where the domain is there, a key that may only send and read email is enough", async ({
  request,
}) => {
  const reader = {
    ...nobody,
    baseUrl: process.env.E2E_BASE_URL ?? "",
    project,
    domain: { id: made.DOMAIN, name: "shop.test" },
  }
  const data = { name: "quickstart, with a domain", permissions: permissionsFor(guideSource("quickstart"), reader) }
  expect(data.permissions).toEqual(["emails:send", "emails:read"])
  const created = await request.post(`/v1/projects/${project.id}/api-keys`, { data, headers: session })
  const { apiKey } = (await created.json()) as { apiKey: string }
  const code = (name: string) =>
    guideSamples(reader).find((one) => one.guide === "quickstart" && one.name === name)?.code ?? "exit 1"
  const steps = ["variables", "send", "explain", "come-back"].map(code).join("\n").replace("mr_live_…", apiKey)
  expect(bash(steps)).toMatch(/"status":"queued"[^]*"recipients":[^]*"status":"queued"[^]*"status":"queued"/)
})

test("domains: a check, the diagnosis and the zone file", () => {
  expect(JSON.parse(shell("domains", "verify"))).toMatchObject({ status: "verified" })
  expect(JSON.parse(shell("domains", "diagnosis"))).toHaveProperty("records")
  expect(shell("domains", "zone-file")).toContain("shop.test")
})

test("templates: one is saved, previewed and published, and an email is sent from it", () => {
  expect(typeScript("templates", "publish")).toBe("Welcome, there\n1")
  expect(JSON.parse(shell("templates", "send"))).toMatchObject({ status: "queued" })
})

test("keys: a key asks what it may do", () => {
  expect(JSON.parse(shell("keys", "whoami"))).toMatchObject({ permissions: ["emails:send"] })
})

test("sending: attachments are taken, a scheduled email is cancelled, and a batch answers for each email", () => {
  expect(typeScript("sending", "attachment")).toBe("queued")
  expect(JSON.parse(shell("sending", "schedule"))).toMatchObject({ cancelled: true })
  const [status, ...answer] = typeScript("sending", "batch").split(" ")
  expect(status).toBe("200")
  expect(JSON.parse(answer.join(" "))).toMatchObject({ results: [{ status: "queued" }, { status: "rejected" }] })
})

test("contacts: a contact with a property joins a segment by its filter, and a file is imported but for one row", () => {
  expect(typeScript("contacts", "contact")).toMatch(/^Ada seg_\w+$/)
  const said = shell("contacts", "import")
  const [found = "", errors = ""] = said.split(/(?<=\})\s*(?=\{)/)
  expect(JSON.parse(found)).toMatchObject({ status: "completed", created: 1, failed: 1 })
  expect(JSON.parse(errors)).toMatchObject({ data: [{ line: 3 }] })
})

test("broadcasts: one reaches the members of a segment and ends", () => {
  expect(typeScript("broadcasts", "broadcast")).toBe("sent 1 1")
})

test("tracking: a tracked email is taken, and the summary has figures", () => {
  expect(JSON.parse(shell("tracking", "track"))).toMatchObject({ status: "queued" })
  expect(JSON.parse(shell("tracking", "metrics"))).toHaveProperty("bounceRate")
})

test("lists: all pages of a list are read", () => {
  expect(typeScript("lists", "pages")).toMatch(/^\d+$/)
})

test("moving: suppressions that five services export are added with their reasons, a second time without a change", async ({
  request,
}) => {
  const files = {
    "ses.json": {
      SuppressedDestinationSummaries: [
        { EmailAddress: "ses@gone.example", Reason: "BOUNCE", LastUpdateTime: "2026-11-01T10:00:00Z" },
      ],
    },
    "postmark.json": {
      Suppressions: [{ EmailAddress: "pm@gone.example", SuppressionReason: "SpamComplaint", Origin: "Recipient" }],
    },
    "complaints.json": { items: [{ address: "mg@gone.example", created_at: "Mon, 02 Nov 2026 10:00:00 UTC" }] },
    "resend.json": {
      object: "list",
      has_more: false,
      data: [{ id: "1", email: "rs@gone.example", origin: "complaint" }],
    },
    "unsubscribes.csv": 'created,reason,email\n1761000000,"no, thanks","sg@gone.example"\n',
  }
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content))
  writeFileSync(
    join(folder, "moving.mjs"),
    transformSync(take("moving", "import-suppressions"), { loader: "ts", format: "esm" }).code,
  )
  const run = () => bash(`${settings("moving")}\nnode moving.mjs ${Object.keys(files).join(" ")}`)
  expect(run()).toMatch(/^(?:\S+: 1 added, 0 known or invalid\n){5}$/)
  expect(run()).toMatch(/^(?:\S+: 0 added, 1 known or invalid\n){5}$/)
  const list = await request.get(`/v1/projects/${project.id}/suppressions?size=100`, { headers: session })
  const found = ((await list.json()) as { data: { email: string; reason: string }[] }).data
  expect(
    Object.fromEntries(
      found.filter(({ email }) => email.endsWith("@gone.example")).map((one) => [one.email, one.reason]),
    ),
  ).toEqual({
    "ses@gone.example": "bounce",
    "pm@gone.example": "complaint",
    "mg@gone.example": "complaint",
    "rs@gone.example": "complaint",
    "sg@gone.example": "unsubscribe",
  })
})

test("idempotency: the second request with a key answers with the first email", () => {
  expect(typeScript("idempotency", "idempotency")).toBe("true false true")
})

test("events: the stream shows a delivery, and the timeline keeps it", async ({ request }) => {
  const sent = async () =>
    request.post("/v1/emails", {
      headers: { authorization: `Bearer ${keys.get("events")}` },
      data: { from: "orders@shop.test", to: ["ada@lovelace.example"], subject: "Hi", text: "Hi" },
    })
  // The sample waits for an event: emails go out until it has seen one.
  let done = false
  const emails = (async () => {
    while (!done) {
      await sent()
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })()
  const file = join(folder, "events.mjs")
  writeFileSync(file, transformSync(take("events", "stream"), { loader: "ts", format: "esm" }).code)
  const child = spawn("bash", ["-ec", `${settings("events")}\nexec node ${file}`], { env: surroundings() })
  let said = ""
  child.stdout.on("data", (text: Buffer) => (said += text.toString()))
  await new Promise((resolve) => child.on("close", resolve))
  done = true
  await emails
  expect(said).toMatch(/^delivered email_/m)
  const types = JSON.parse(shell("events", "timeline")).items.map(({ type }: { type: string }) => type)
  expect(types).toEqual(["queued", "sent", "delivered"])
})

test("suppression: an address is suppressed, recipients are checked, and a topic is sent to", () => {
  expect(JSON.parse(shell("suppression", "suppress")).email).toBe("gone@lovelace.example")
  expect(JSON.parse(shell("suppression", "check-recipients")).data).toMatchObject([
    { state: "sendable" },
    { state: "suppressed", reason: "manual" },
  ])
  expect(typeScript("suppression", "topic")).toBe("queued")
})

test("errors: an invalid address is named by its pointer", () => {
  expect(typeScript("errors", "error")).toMatch(/^400 request\.invalid\n\/to\/0 /)
})

test("limits: a call that may be repeated succeeds, and the settings show what is used", () => {
  expect(typeScript("limits", "retry")).toMatch(/^200 \d+$/)
  // Midnight UTC may have passed since the other tests sent: the day's count begins again with this email.
  bash(`${settings("quickstart")}\n${take("quickstart", "send")}`)
  expect(JSON.parse(shell("limits", "settings")).limits.dailySends.used).toBeGreaterThan(0)
})

test("sdk: the types are generated from the running product, and the client compiles as written and sends", () => {
  // The packages are there already: installing them is left out, generating, compiling and running are not.
  const installed = ["openapi-fetch", "openapi-typescript", "typescript", "@types/node"]
  for (const name of installed) expect(take("sdk", "generate")).toContain(name)
  const bin = `PATH="${resolve("node_modules/.bin")}:$PATH"\nnpm() { :; }\nnpx() { "$@"; }\n`
  writeFileSync(join(folder, "send.mts"), take("sdk", "send"))
  const steps = [take("sdk", "generate"), take("sdk", "compile")].join("\n")
  // A folder of its own has no settings of a compiler; this one is below ours.
  const said = bash(`${settings("sdk")}\n${bin}${steps.replace("npx tsc ", "npx tsc --ignoreConfig ")}`)
  expect(said.trim().split("\n").at(-1)).toMatch(/^email_\w+ queued$/)
})

test("other-services: an email is sent by Resend's API", () => {
  expect(JSON.parse(shell("other-services", "send"))).toEqual({ id: expect.stringMatching(/^email_/) })
})

test("sdk: the client package is made, and its sample sends an email", () => {
  execFileSync(process.execPath, ["lib/cli/launch.mjs", "build", "--client"], { stdio: "ignore", timeout: 200_000 })
  // As installing it does, but for its one package, which is there already.
  expect(take("sdk", "install")).toContain("dist/client")
  mkdirSync(join(folder, "node_modules"))
  symlinkSync(resolve("dist/client"), join(folder, "node_modules", "mailroom-client"))
  expect(typeScript("sdk", "client")).toMatch(/^email_\w+ queued$/)
})

test("mcp: the server starts as an agent starts it, and says who it is", () => {
  const hello = {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  }
  const input = `${JSON.stringify(hello)}\n`
  const run = (script: string) =>
    execFileSync("bash", ["-ec", script], {
      encoding: "utf8",
      env: surroundings(),
      input,
      timeout: 200_000,
      stdio: ["pipe", "pipe", "ignore"],
    })
  const said = run(`${settings("mcp")}\n${take("mcp", "start")}`)
  expect(JSON.parse(said)).toMatchObject({ id: 1, result: { serverInfo: { name: "mailroom" } } })

  const { mcpServers } = JSON.parse(take("mcp", "settings")) as { mcpServers: Record<string, McpServer> }
  const { command, args, env } = mcpServers.mailroom ?? { command: "", args: [], env: {} }
  expect(Object.keys(env)).toEqual(["MAILROOM_URL", "MAILROOM_API_KEY"])
  const started = execFileSync(command, [resolve(String(args[0]).replace("/opt/mailroom/", "")), ...args.slice(1)], {
    ...{ encoding: "utf8", input, timeout: 200_000 },
    env: { ...surroundings(), ...env, MAILROOM_API_KEY: keys.get("mcp") ?? "" },
  })
  expect(started).toBe(said)
})

type McpServer = { command: string; args: string[]; env: Record<string, string> }

test("changes: no header of an operation in use says that it is deprecated", () => {
  expect(shell("changes", "deprecated").trim()).toBe("Not deprecated.")
})

test("smtp: Python's smtplib signs in with a key and is told the id of its email", () => {
  const code = take("smtp", "send-python")
    .replace("2587", process.env.E2E_SUBMISSION_PORT ?? "2587")
    // smtplib keeps the reply to itself unless it is asked to print the dialogue.
    .replace("    smtp.starttls", "    smtp.set_debuglevel(1)\n    smtp.starttls")
  const variables = settings("smtp")
  test.skip(!has("python3"), "Python is not on this machine.")
  writeFileSync(join(folder, "smtp.py"), code)
  // The product of this suite has no certificate but its own, which the guide says how to believe.
  const certificate = join(process.env.E2E_DATA_DIR ?? "", "smtp-certificate.pem")
  expect(bash(`${variables}\nSSL_CERT_FILE=${certificate} python3 smtp.py 2>&1`)).toMatch(/250 2\.0\.0 email_\w+/)
})

test("inbound: a test address takes an email, and the API shows what the person wrote", async () => {
  const port = process.env.E2E_INBOUND_PORT ?? "2526"
  bash(`${settings("inbound")}\n${take("inbound", "receive").replace("2526", port)}`)
  await expect
    .poll(() => typeScript("inbound", "read"), { timeout: 20_000, intervals: [500] })
    .toBe("ada@example.com Re: Your order\nYes, please.")
})

test("webhooks: one is created, and its secret is shown", () => {
  expect(JSON.parse(shell("webhooks", "create-webhook")).secret).toMatch(/^whsec_/)
})

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const body = '{"type":"email.delivered","data":{"to":"ada@lovelace.example","subject":"Çay"}}'

function signedAt(at: Date) {
  const signature = new Webhook(secret).sign("evt_1", at, body)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": signature }
}

/** True, with two signatures, with a changed body, too old, of another secret: what a verifier must say. */
function cases() {
  const headers = signedAt(new Date())
  const two = { ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` }
  const old = signedAt(new Date(Date.now() - 600_000))
  const other = `whsec_${Buffer.from("another secret of ours").toString("base64")}`
  return [
    [secret, headers, body],
    [secret, two, body],
    [secret, headers, body.replace("ada", "eve")],
    [secret, old, body],
    [other, headers, body],
  ]
}
const answers = [true, true, false, false, false]

function has(command: string): boolean {
  return spawnSync(command, [command === "go" ? "version" : "--version"]).status === 0
}

test("webhooks: the TypeScript verifier takes what the standard signs and refuses everything else", async () => {
  const file = join(folder, "verify.mjs")
  writeFileSync(file, transformSync(take("webhooks", "verify-typescript"), { loader: "ts", format: "esm" }).code)
  const run = `import { verify } from ${JSON.stringify(file)}\nconsole.log(JSON.stringify(${JSON.stringify(cases())}.map((one) => verify(...one))))`
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", run], { encoding: "utf8" })
  expect(JSON.parse(said)).toEqual(answers)
})

test("webhooks: the Python verifier does the same", () => {
  const code = take("webhooks", "verify-python")
  test.skip(!has("python3"), "Python is not on this machine.")
  // Frameworks hand over the body as bytes.
  const run = `${code}\nimport json, sys\nall = json.load(sys.stdin)\nprint(json.dumps([[verify(s, h, b), verify(s, h, b.encode())] for s, h, b in all]))`
  const said = execFileSync("python3", ["-c", run], { encoding: "utf8", input: JSON.stringify(cases()) })
  expect(JSON.parse(said)).toEqual(answers.map((one) => [one, one]))
})

test("webhooks: the PHP verifier does the same", () => {
  const code = take("webhooks", "verify-php")
  test.skip(!has("php"), "PHP is not on this machine.")
  const run = `${code}\n$all = json_decode(stream_get_contents(STDIN), true);\necho json_encode(array_map(fn($one) => verify(...$one), $all));`
  const said = execFileSync("php", ["-r", run], { encoding: "utf8", input: JSON.stringify(cases()) })
  expect(JSON.parse(said)).toEqual(answers)
})

test("webhooks: the Go verifier does the same", () => {
  const code = take("webhooks", "verify-go")
  test.skip(!has("go"), "Go is not on this machine.")
  const goModule = join(folder, "go")
  mkdirSync(join(goModule, "webhooks"), { recursive: true })
  writeFileSync(join(goModule, "go.mod"), "module example.com/guide\n\ngo 1.18\n")
  writeFileSync(join(goModule, "webhooks", "verify.go"), code)
  writeFileSync(
    join(goModule, "main.go"),
    `package main

import (
	"encoding/json"
	"os"

	"example.com/guide/webhooks"
)

func main() {
	var all [][]json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		panic(err)
	}
	said := []bool{}
	for _, one := range all {
		var secret, body string
		var headers map[string]string
		json.Unmarshal(one[0], &secret)
		json.Unmarshal(one[1], &headers)
		json.Unmarshal(one[2], &body)
		said = append(said, webhooks.Verify(secret, headers, body))
	}
	json.NewEncoder(os.Stdout).Encode(said)
}
`,
  )
  const surroundings = { ...process.env, GOFLAGS: "-mod=mod", GOPROXY: "off", GOTOOLCHAIN: "local" }
  const program = join(goModule, "verify")
  execFileSync("go", ["build", "-o", program, "."], { cwd: goModule, encoding: "utf8", env: surroundings })
  const said = execFileSync(program, { encoding: "utf8", input: JSON.stringify(cases()) })
  expect(JSON.parse(said)).toEqual(answers)
})

// A key asks what it may do whatever that is, and what an agent does with its key is the agent's choice.
const anyKey = ["keys", "mcp"]

test("no guide asks for a permission that its samples do not use", async ({ request }) => {
  type Used = { permission: string; requests: number }
  const unused = async () => {
    const of = await Promise.all(
      [...guidePermissions].map(async ([guide, permissions]) => {
        if (anyKey.includes(guide)) return []
        const path = `/v1/projects/${project.id}/api-keys/${keyIds.get(guide)}/usage/summary`
        const used = (await (await request.get(path, { headers: session })).json()) as { permissions: Used[] }
        const counted = new Set(used.permissions.flatMap((one) => (one.requests > 0 ? one.permission : [])))
        return permissions.filter((one) => !counted.has(one)).map((one) => `${guide}: ${one}`)
      }),
    )
    return of.flat()
  }
  // Uses are recorded a moment after the request.
  await expect.poll(unused, { timeout: 20_000 }).toEqual([])
})

test("every sample of the guides has been run", () => {
  const all = samples.map(({ guide, name }) => `${guide}/${name}`)
  expect(all.filter((one) => !ran.has(one))).toEqual([])
})
