import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createSocket } from "node:dgram"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A real authoritative name server (Knot DNS) with one zone, on loopback. */
export type Knot = { port: number; publish(zoneText: string): Promise<void>; stop(): Promise<void> }

/** Starts `knotd` on the zone `name`, holding nothing but its SOA and NS. `npm test` installs it where it is missing. */
export async function startKnot(name: string): Promise<Knot> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-knot-"))
  const port = await freeDnsPort()
  const zone = join(folder, "zone")
  let serial = 1
  const write = (text: string) =>
    writeFileSync(
      zone,
      `$ORIGIN ${name}.\n$TTL 1\n@ SOA ns admin ${serial++} 60 60 60 1\n@ NS ns\nns A 127.0.0.1\n${text}`,
    )
  write("")
  writeFileSync(
    join(folder, "knot.conf"),
    `server:\n  listen: 127.0.0.1@${port}\n  rundir: ${folder}\ndatabase:\n  storage: ${folder}\nlog:\n  - target: stderr\n    any: info\n` +
      `zone:\n  - domain: ${name}\n    file: ${zone}\n    zonefile-load: whole\n    zonefile-sync: -1\n    journal-content: none\n`,
  )
  const child = spawn("knotd", ["-c", join(folder, "knot.conf")], { stdio: ["ignore", "ignore", "pipe"] })
  let output = ""
  child.stderr.on("data", (text: Buffer) => (output += text.toString()))
  child.on("error", (error) => (output += `knotd cannot be run (${error.message}): apt-get install knot`))
  const logged = async (pattern: RegExp) => {
    while (!pattern.test(output)) {
      if (child.exitCode !== null || !child.pid) throw new Error(`knotd did not start:\n${output}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await logged(/ loaded, serial .* -> 1,/)
  await logged(/server started/)
  return {
    port,
    async publish(text) {
      output = ""
      write(text)
      const written = serial - 1
      child.kill("SIGHUP")
      // The configuration is reloaded before the zone is: until then the server answers from the zone before.
      await logged(new RegExp(`(loaded, serial \\d+ -> ${written},|error: )`))
      if (output.includes("error: ")) throw new Error(`knotd refused the zone:\n${output}`)
    },
    async stop() {
      child.kill("SIGTERM")
      if (child.exitCode === null) await once(child, "exit")
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A port that is free for both, as a name server listens on UDP and on TCP. */
async function freeDnsPort(): Promise<number> {
  for (;;) {
    const tcp = createServer().listen(0, "127.0.0.1")
    await once(tcp, "listening")
    const { port } = tcp.address() as AddressInfo
    const udp = createSocket("udp4").bind(port, "127.0.0.1")
    const isFree = await once(udp, "listening").then(
      () => true,
      () => false,
    )
    if (isFree) await new Promise<void>((resolve) => udp.close(() => resolve()))
    await new Promise((resolve) => tcp.close(resolve))
    if (isFree) return port
  }
}
