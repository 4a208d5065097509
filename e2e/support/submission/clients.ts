import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { createServer, type AddressInfo } from "node:net"
import { join } from "node:path"
import { connect as encrypt } from "node:tls"
import { openDialogue, type Dialogue } from "@/e2e/support/inbound/dialogue"
import { newWorld, type World } from "@/e2e/support/world"
import { serve } from "@/lib/api/serve"
import { sendEmail } from "@/lib/emails/send/api"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { selfSigned } from "@/lib/platform/smtp-server/certificate"
import { dayMs } from "@/lib/platform/time"
import { openSubmission, type Submission, type SubmissionOptions } from "@/lib/submission/server"

/** A submission server with a certificate for localhost, in front of the API. */
export type Lab = Submission & { files: { cert: string; key: string } }

export async function openLab(options: Partial<SubmissionOptions> = {}): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-submission-"))
  const files = { cert: join(folder, "localhost.crt"), key: join(folder, "localhost.key") }
  const validity = { from: new Date(Date.now() - dayMs), until: new Date(Date.now() + dayMs) }
  const { cert, key } = selfSigned(["localhost", "127.0.0.1"], validity)
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  const opened = await openSubmission({
    port: 0,
    tlsPort: 0,
    listenOn: undefined,
    name: "mailroom.test",
    tls: files,
    send: serve(sendEmail).POST.answer,
    ...options,
    limits: { newPerAddressAndMinuteMax: 100_000, ...options.limits },
  })
  const close = async () => {
    await opened.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { ...opened, files, close }
}

/** A project that may send from acme.test. */
export async function newSubmitter(options: Parameters<typeof newWorld>[0] = {}): Promise<World> {
  const world = await newWorld(options)
  await pool().query(
    `INSERT INTO domains (id, project_id, name, region, mail_from_domain, tracking_domain, status, records)
      VALUES ($1, $2, 'acme.test', 'eu-west-1', $3, 'links.acme.test', 'verified', '{}')`,
    [newId(), world.projectId, `${world.projectId}.acme.test`],
  )
  return world
}

/** Runs a program with this on its stdin. Its output and exit code, whatever that is. */
export function run(
  program: string,
  args: readonly string[],
  input = "",
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { timeout: 120_000, maxBuffer: 2 ** 26, env: { ...process.env, ...env } },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, output: stdout || stderr }),
    )
    child.stdin?.end(input)
  })
}

/** Sends emails, written with the fields of the API, by Python's smtplib; the reply to each. */
export async function sendBySmtplib(
  lab: Lab,
  key: string,
  emails: readonly object[],
  tls: "starttls" | "implicit",
): Promise<string[]> {
  const port = tls === "implicit" ? lab.tlsPort : lab.port
  const job = { port, tls, certificate: lab.files.cert, key, emails }
  const { code, output } = await run("python3", ["e2e/support/submission/send.py"], JSON.stringify(job))
  if (code !== 0) throw new Error(`smtplib failed: ${output}`)
  return JSON.parse(output) as string[]
}

/** For a program without TLS of its own: what it sends leaves by TLS. */
export async function openTunnel(tlsPort: number): Promise<{ port: number; close(): void }> {
  const server = createServer((socket) => {
    const secure = encrypt({ port: tlsPort, host: "127.0.0.1", rejectUnauthorized: false })
    for (const each of [socket, secure]) each.on("error", () => (socket.destroy(), secure.destroy()))
    socket.pipe(secure).pipe(socket)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

export function plainToken(key: string, user = "apikey"): string {
  return Buffer.from(`\0${user}\0${key}`).toString("base64")
}

/** A session that has begun TLS. */
export async function encrypted(lab: Submission, options: { from?: string } = {}): Promise<Dialogue> {
  const dialogue = await openDialogue(lab.port, options)
  await dialogue.hear()
  await dialogue.say("EHLO app.example")
  await dialogue.say("STARTTLS")
  await dialogue.startTls()
  await dialogue.say("EHLO app.example")
  return dialogue
}

/** A session of somebody with this key. */
export async function signedIn(lab: Submission, key: string, options: { from?: string } = {}): Promise<Dialogue> {
  const dialogue = await encrypted(lab, options)
  const answer = await dialogue.say(`AUTH PLAIN ${plainToken(key)}`)
  if (!answer.startsWith("235 ")) throw new Error(`Signing in was answered ${answer}`)
  return dialogue
}

/** One email in a session, up to the data; the first refusal, or the answer to DATA. */
export async function announce(dialogue: Dialogue, recipients: readonly string[]): Promise<string> {
  const answers = [await dialogue.say("MAIL FROM:<app@client.example>")]
  for (const one of recipients) answers.push(await dialogue.say(`RCPT TO:<${one}>`))
  answers.push(await dialogue.say("DATA"))
  return answers.find((answer) => !/^(?:250|354) /.test(answer)) ?? (answers.at(-1) as string)
}

/** The reply to a message. */
export async function submit(dialogue: Dialogue, recipients: readonly string[], message: string): Promise<string> {
  const answer = await announce(dialogue, recipients)
  if (!answer.startsWith("354 ")) return answer
  dialogue.write(message.replace(/\r?\n/g, "\r\n").replace(/\r\n\./g, "\r\n.."))
  return dialogue.say("\r\n.")
}
