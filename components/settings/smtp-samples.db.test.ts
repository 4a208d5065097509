import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { afterAll, beforeAll, expect, test } from "vitest"
import { transform } from "esbuild"
import { newSubmitter, openLab, run, type Lab } from "@/e2e/support/submission/clients"
import type { World } from "@/e2e/support/world"
import { smtpSamples } from "@/components/settings/smtp-access"

// What the page SMTP prints, run as it is where the program or its library is here.

let lab: Lab
let world: World
let access: { host: string; port: number; tlsPort: number; isPublic: boolean }

beforeAll(async () => {
  lab = await openLab()
  world = await newSubmitter()
  access = { host: "localhost", port: lab.port, tlsPort: lab.tlsPort, isPublic: true }
})
afterAll(() => lab.close())

function codeOf(name: string, of = access): string {
  return smtpSamples(of).find((sample) => sample.name === name)?.code ?? ""
}

type Transport = { sendMail(mail: object): Promise<{ response: string }>; close(): void }
type Nodemailer = { createTransport(options: object): Transport }

/** That of the server's library. */
const nodemailer = createRequire(createRequire(import.meta.url).resolve("smtp-server"))("nodemailer") as Nodemailer
const accepted = /^250 2\.0\.0 email_\w+$/

async function sendBy(options: object): Promise<string> {
  const transport = nodemailer.createTransport(options)
  const mail = { from: "hello@acme.test", to: "ada@lovelace.example", subject: "Hello", text: "Hi" }
  const { response } = await transport.sendMail(mail)
  transport.close()
  return response
}

async function nodemailerOptions(of = access): Promise<object> {
  const { code } = await transform(codeOf("nodemailer", of).replace(/^import .*$/m, ""), { format: "cjs" })
  let given: object = {}
  const stub = { createTransport: (options: object) => (given = options) }
  new Function("nodemailer", "module", "process", code)(stub, {}, { env: { MAILROOM_KEY: world.apiKey } })
  return given
}

test("the lines for nodemailer send, with a certificate that it knows and with the server's own", async () => {
  const ca = { ca: readFileSync(lab.files.cert) }
  expect(await sendBy({ ...(await nodemailerOptions()), tls: ca })).toMatch(accepted)
  await expect(sendBy(await nodemailerOptions())).rejects.toThrow(/certificate/)
  expect(await sendBy(await nodemailerOptions({ ...access, isPublic: false }))).toMatch(accepted)
})

test("the lines for Ghost are options of nodemailer that send", async () => {
  const { mail } = JSON.parse(`{${codeOf("Ghost").replace("mr_live_…", world.apiKey)}}`)
  expect(mail.transport).toBe("SMTP")
  expect(await sendBy({ ...mail.options, tls: { ca: readFileSync(lab.files.cert) } })).toMatch(accepted)
})

test("the lines for Django are settings with which its backend's library sends", async () => {
  // As django.core.mail.backends.smtp does with these settings.
  const program = `
import os, smtplib, ssl
${codeOf("Django")}
assert EMAIL_USE_TLS
with smtplib.SMTP(EMAIL_HOST, EMAIL_PORT) as connection:
    connection.starttls(context=ssl.create_default_context(cafile=os.environ["CERTIFICATE"]))
    connection.login(EMAIL_HOST_USER, EMAIL_HOST_PASSWORD)
    connection.sendmail("hello@acme.test", ["ada@lovelace.example"], "From: hello@acme.test\\nTo: ada@lovelace.example\\nSubject: Hello\\n\\nHi")
`
  const env = { MAILROOM_KEY: world.apiKey, CERTIFICATE: lab.files.cert }
  expect(await run("python3", ["-c", program], "", env)).toEqual({ code: 0, output: "" })
})

test("the lines for Rails, Laravel, WordPress and Supabase name host, port, encryption and user", () => {
  const encryption = { Rails: "enable_starttls: true", Laravel: "smtps", WordPress: "'tls'", Supabase: "smtp" }
  for (const [name, how] of Object.entries(encryption)) {
    const port = String(name === "Laravel" ? lab.tlsPort : lab.port)
    for (const part of ["localhost", port, "apikey", how]) expect(codeOf(name), name).toContain(part)
  }
})
