import { execFileSync, spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, test } from "@playwright/test"
import { transformSync } from "esbuild"
import { Webhook } from "standardwebhooks"
import { guideSamples } from "@/e2e/support/guide-samples"
import { admin } from "@/e2e/support/product"

// What the guides print is what is run, against the running product.

const samples = guideSamples()
const ran = new Set<string>()
let folder = ""
let env: Record<string, string> = {}

test.beforeAll(async () => {
  mkdirSync("node_modules/.cache", { recursive: true })
  // Below node_modules, so that samples find the packages that they import.
  folder = resolve(mkdtempSync("node_modules/.cache/guides-"))
  const people = [
    "--email",
    `guides-${Date.now()}@example.com`,
    "--password",
    "a long password",
    "--organization",
    "Guides",
  ]
  const place = ["--project", "main", "--region", "eu-west-1"]
  const made = await admin(process.env.E2E_DATA_DIR ?? "", "bootstrap", ...people, ...place)
  env = { MAILROOM: process.env.E2E_BASE_URL ?? "", PROJECT: String(made.projectId), KEY: String(made.apiKey) }
})

test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

function take(guide: string, name: string): string {
  const sample = samples.find((one) => one.guide === guide && one.name === name)
  if (!sample) throw new Error(`The guide ${guide} has no sample ${name}.`)
  ran.add(`${guide}/${name}`)
  return sample.code
}

const surroundings = () => ({ PATH: process.env.PATH ?? "", HOME: folder, NODE_ENV: "production" as const, ...env })

function shell(guide: string, name: string, before = ""): string {
  return execFileSync("bash", ["-ec", before + take(guide, name)], {
    encoding: "utf8",
    env: surroundings(),
    cwd: folder,
  })
}

function typeScript(guide: string, name: string): string {
  const file = join(folder, `${guide}-${name}.mjs`)
  writeFileSync(file, transformSync(take(guide, name), { loader: "ts", format: "esm" }).code)
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], {
    encoding: "utf8",
    env: surroundings(),
    timeout: 40_000,
  })
  expect([status, stderr]).toEqual([0, ""])
  return stdout.trim()
}

test("quickstart: a domain, an email by curl and by TypeScript, and its explanation", async () => {
  const domain = JSON.parse(shell("quickstart", "add-domain"))
  expect(domain).toMatchObject({ domain: "shop.test", status: "pending" })
  env.DOMAIN = domain.id
  const verified = () => JSON.parse(shell("domains", "verify")).status
  await expect.poll(verified, { timeout: 30_000, intervals: [1_000] }).toBe("verified")
  const email = JSON.parse(shell("quickstart", "send"))
  expect(email.status).toBe("queued")
  env.EMAIL = email.id
  expect(typeScript("quickstart", "send-typescript")).toMatch(/^email_\w+ queued$/)
  const explanation = () => JSON.parse(shell("quickstart", "explain")).cause
  await expect
    .poll(explanation, { timeout: 20_000, intervals: [1_000] })
    .toBe("The sandbox on this machine captured the message for ada@lovelace.example.")
})

test("domains: the diagnosis and the zone file", () => {
  expect(JSON.parse(shell("domains", "diagnosis"))).toHaveProperty("records")
  expect(shell("domains", "zone-file")).toContain("shop.test")
})

test("idempotency: the second request with a key answers with the first email", () => {
  expect(typeScript("idempotency", "idempotency")).toBe("true false true")
})

test("events: the stream shows a delivery, and the timeline keeps it", async ({ request }) => {
  const sent = async () =>
    request.post("/v1/emails", {
      headers: { authorization: `Bearer ${env.KEY}` },
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
  const child = spawn(process.execPath, [file], { env: surroundings() })
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
  shell("quickstart", "send")
  expect(JSON.parse(shell("limits", "settings")).limits.dailySends.used).toBeGreaterThan(0)
})

test("sdk: the types are generated from the running product, and the typed client sends", () => {
  // The packages are there already: installing them is left out, generating is not.
  const bin = `PATH="${resolve("node_modules/.bin")}:$PATH"\nnpm() { :; }\nnpx() { "$@"; }\n`
  shell("sdk", "generate", bin)
  const sample = take("sdk", "send")
  writeFileSync(join(folder, "sdk.mts"), sample.replace("./mailroom.js", "./mailroom.d.ts"))
  const options = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--ignoreConfig",
    "--target",
    "es2022",
    "--module",
    "nodenext",
  ]
  const more = ["--lib", "es2022,dom", "--types", "node", "--allowImportingTsExtensions"]
  const compiled = spawnSync("node", [resolve("node_modules/typescript/bin/tsc"), ...options, ...more, "sdk.mts"], {
    cwd: folder,
    encoding: "utf8",
  })
  expect(compiled.stdout).toBe("")
  expect(typeScript("sdk", "send")).toMatch(/^email_\w+ queued$/)
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
  const run = `${code}\nimport json, sys\nprint(json.dumps([verify(*one) for one in json.load(sys.stdin)]))`
  const said = execFileSync("python3", ["-c", run], { encoding: "utf8", input: JSON.stringify(cases()) })
  expect(JSON.parse(said)).toEqual(answers)
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

test("every sample of the guides has been run, except the three variables of the quickstart", () => {
  const all = samples.map(({ guide, name }) => `${guide}/${name}`)
  expect(all.filter((one) => !ran.has(one))).toEqual(["quickstart/"])
})
