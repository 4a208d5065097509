import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { freePort } from "@/e2e/support/free-port"

const readyWithinMs = 60_000

/** A real Prometheus that reads one product every three seconds: a process that is busy has a second to answer a scrape. */
export type Prometheus = {
  /** The series that an expression gives now. @throws Error with what Prometheus says of the expression */
  query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>
  /** The alerts of its rules, each with how its last evaluation ended. */
  rules(): Promise<{ name: string; health: "ok" | "err" | "unknown"; lastError?: string }[]>
  stop(): Promise<void>
}

/** Starts Prometheus (`npm test` installs it) with `rules` on the product whose metrics are at `metricsPort`. */
export async function startPrometheus(metricsPort: number, rules: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), "mailroom-prometheus-"))
  const port = await freePort()
  const settings = {
    global: { scrape_interval: "3s", scrape_timeout: "3s", evaluation_interval: "1s" },
    rule_files: [resolve(rules)],
    scrape_configs: [{ job_name: "mailroom", static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
  }
  // JSON is YAML.
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(settings))
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  )
  let output = ""
  child.stderr.on("data", (text: Buffer) => (output = (output + text.toString()).slice(-2_000)))
  child.on("error", (error) => (output += `prometheus cannot be run (${error.message}): apt-get install prometheus`))

  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const { status, error, data } = (await answer.json()) as { status: string; error?: string; data: never }
    if (status !== "success") throw new Error(`${path}: ${error}`)
    return data
  }
  const prometheus: Prometheus = {
    async query(expression) {
      const { result } = await ask(`query?query=${encodeURIComponent(expression)}`)
      return result
    },
    async rules() {
      const { groups } = (await ask("rules")) as { groups: { rules: never[] }[] }
      return groups.flatMap((group) => group.rules)
    },
    async stop() {
      child.kill("SIGTERM")
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) await once(child, "exit")
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const deadline = Date.now() + readyWithinMs
  const hasScraped = () =>
    prometheus.query("mailroom_build_info").then(
      ({ length }) => length > 0,
      () => false,
    )
  while (!(await hasScraped())) {
    if (child.exitCode !== null || child.pid === undefined || Date.now() > deadline) {
      await prometheus.stop()
      throw new Error(`Prometheus did not read the metrics:\n${output}`)
    }
    await wait(200)
  }
  return prometheus
}
