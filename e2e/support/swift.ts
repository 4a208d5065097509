import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3"
import { execFile, spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { findSwift } from "@/lib/cli/checks/programs"
import { S3Url } from "@/lib/platform/env/fields"
import { freePort } from "@/e2e/support/free-port"

const run = promisify(execFile)
const ringLimitMs = 60_000
const startLimitMs = 60_000
const stopLimitMs = 10_000
const region = "eu-west-1"
const parts = ["proxy", "account", "container", "object"] as const

type Part = (typeof parts)[number]
type Server = { part: Part; child: ChildProcess; output: () => string }

/**
 * A real S3 server that checks every signature: OpenStack Swift on loopback, in a folder of its own. `url` is what
 * S3_URL takes, with an empty bucket. Pages of a listing hold ten objects there, so that few of them make several.
 * @throws Error with the output of the servers if they do not respond in time
 */
export async function startSwift(): Promise<{ url: string; stop(): Promise<void> }> {
  findSwift()
  const folder = mkdtempSync(join(tmpdir(), "mailroom-swift-"))
  const servers: Server[] = []
  const stop = async () => {
    await Promise.all(servers.map(({ child }) => end(child)))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const ports = Object.fromEntries(await Promise.all(parts.map(async (part) => [part, await freePort()]))) as Record<
      Part,
      number
    >
    for (const part of parts) writeFileSync(join(folder, `${part}.conf`), settings(part, folder, ports[part]))
    mkdirSync(join(folder, "d1"))
    await Promise.all(parts.filter((part) => part !== "proxy").map((part) => makeRing(folder, part, ports[part])))
    for (const part of parts) servers.push(launch(part, folder))
    const url = `s3://mail%3Aroom:a%2Fsecret%2Bof%3Dtests@127.0.0.1:${ports.proxy}/mail?region=${region}&tls=none`
    await makeBucket(url, servers)
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One process each, which writes below the folder alone and asks no cache of this machine. */
function settings(part: Part, folder: string, port: number): string {
  const common =
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = ${userInfo().username}\nswift_dir = ${folder}\n` +
    `devices = ${folder}\nmount_check = false\nlog_level = INFO\n`
  if (part !== "proxy") {
    return `${common}[pipeline:main]\npipeline = ${part}-server\n[app:${part}-server]\nuse = egg:swift#${part}\n`
  }
  const filters = {
    catch_errors: "",
    cache: "memcache_servers = 127.0.0.1:1\n",
    s3api: `location = ${region}\nmax_bucket_listing = 10\n`,
    tempauth: "user_mail_room = a/secret+of=tests .admin\n",
    slo: "",
    dlo: "",
  }
  const sections = Object.entries(filters).map(([name, lines]) => {
    const egg = name === "cache" ? "memcache" : name
    return `[filter:${name}]\nuse = egg:swift#${egg}\n${lines}`
  })
  return (
    `${common}[pipeline:main]\npipeline = ${Object.keys(filters).join(" ")} proxy-server\n` +
    `[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n${sections.join("")}`
  )
}

/** Which server keeps what: one, everything. */
async function makeRing(folder: string, part: Part, port: number) {
  const builder = join(folder, `${part}.builder`)
  const device = [
    "--region",
    "1",
    "--zone",
    "1",
    "--ip",
    "127.0.0.1",
    "--port",
    String(port),
    "--device",
    "d1",
    "--weight",
    "100",
  ]
  for (const command of [["create", "4", "1", "1"], ["add", ...device], ["rebalance"]]) {
    await run("swift-ring-builder", [builder, ...command], { timeout: ringLimitMs })
  }
}

function launch(part: Part, folder: string): Server {
  // Swift leaves our process group: without this it would outlive a run that is broken off.
  const command = ["--pdeathsig", "TERM", `swift-${part}-server`, join(folder, `${part}.conf`), "--verbose"]
  const child = spawn("setpriv", command, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output = (output + text.toString()).slice(-20_000)))
  child.on("error", (error) => (output += error.message))
  return { part, child, output: () => output }
}

/** Account and container servers have a part in the bucket, the object server only in what lies in it. */
async function makeBucket(url: string, servers: Server[]) {
  const { endpoint, bucket, accessKeyId, secretAccessKey } = S3Url.parse(url)
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 1,
  })
  const abortSignal = AbortSignal.timeout(startLimitMs)
  const first = { Bucket: bucket, Key: "first", Body: "" }
  await untilDone(servers, abortSignal, () => client.send(new CreateBucketCommand({ Bucket: bucket }), { abortSignal }))
  await untilDone(servers, abortSignal, () => client.send(new PutObjectCommand(first), { abortSignal }))
  await untilDone(servers, abortSignal, () => client.send(new DeleteObjectCommand(first), { abortSignal }))
  client.destroy()
}

async function untilDone(servers: Server[], limit: AbortSignal, work: () => Promise<unknown>) {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (limit.aborted || servers.some(({ child }) => !runs(child))) {
        throw new Error(
          ["Swift did not start.", ...servers.map(({ part, output }) => `${part}: ${output()}`)].join("\n"),
          {
            cause: error,
          },
        )
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function end(child: ChildProcess) {
  if (!runs(child)) return
  const ended = once(child, "exit")
  const late = setTimeout(() => child.kill("SIGKILL"), stopLimitMs)
  child.kill("SIGTERM")
  await ended
  clearTimeout(late)
}

function runs({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}
