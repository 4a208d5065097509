import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "mailroom-kit-"))
const sample = (name: string) => readFileSync(join("lib/deploy", name), "utf8")

/** The sample with other places, as everyone puts in their own; every one of them must occur. */
function copied(name: string, places: Record<string, string> = {}): string {
  let text = sample(name)
  for (const [from, to] of Object.entries(places)) {
    expect(text, `${name} names ${from}`).toContain(from)
    text = text.replaceAll(from, to)
  }
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

/** What the program said when it read its file; `npm test` installs it. */
function read(program: string, ...args: string[]): { status: number | null; said: string } {
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    env: { ...home, NODE_ENV: "test", PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" },
  })
  return { status, said: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}` }
}

const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
beforeAll(() => {
  const names = ["-subj", "/CN=mail.example.com", "-days", "1"]
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, ...names]
  execFileSync("openssl", made, { stdio: "ignore" })
  writeFileSync(join(folder, "both.pem"), readFileSync(cert, "utf8") + readFileSync(key, "utf8"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("HAProxy reads haproxy.cfg without a warning, and does not stay root", () => {
  const file = copied("haproxy.cfg", { "/etc/haproxy/mailroom.pem": join(folder, "both.pem") })
  const { status, said } = read("haproxy", "-c", "-dW", "-f", file)
  expect([status, said]).toEqual([0, expect.stringContaining("valid")])
  expect(sample("haproxy.cfg")).toMatch(/^ +user haproxy$/m)
})

test("nginx reads nginx.conf without a warning", () => {
  const file = copied("nginx.conf", {
    "/etc/nginx/mailroom.pem": cert,
    "/etc/nginx/mailroom.key": key,
    // Only root may listen on it, and nginx tries.
    "listen 443": "listen 127.0.0.1:8443",
  })
  const settings = `pid ${folder}/pid; error_log stderr;`
  const { status, said } = read("nginx", "-t", "-p", folder, "-c", file, "-e", "stderr", "-g", settings)
  expect([status, said]).toEqual([0, expect.stringContaining("test is successful")])
  expect(said).not.toMatch(/\[(warn|error|emerg)\]/)
})

test("Caddy reads its samples: the one for two hosts, and the one for a host of its own", () => {
  for (const file of ["lib/deploy/Caddyfile", "lib/cli/Caddyfile"]) {
    const { status, said } = read("caddy", "validate", "--adapter", "caddyfile", "--config", file)
    expect([file, status, said]).toEqual([file, 0, expect.stringContaining("Valid configuration")])
  }
})

test.each(["mailroom.service", "mailroom@.service"])("systemd knows every line of %s", (name) => {
  const file = copied(name, { "/usr/bin/node": process.execPath })
  const { status, said } = read("systemd-analyze", "verify", "--man=no", file.replace("@.", "@web."))
  expect([status, said.split("\n").filter((line) => line.includes("mailroom"))]).toEqual([0, []])
})

test("Prometheus reads alerts.yml, every alert fires on what it is about, and none on a host that is well", () => {
  const cases: Case[] = [
    { fires: [], series: { ...well, 'mailroom_region_up{region="eu-west-1"}': "1x120" } },
    { fires: ["MailroomDatabaseDown", "MailroomHostWithoutDatabase"], series: { mailroom_database_up: "0x120" } },
    {
      fires: ["MailroomHostWithoutDatabase"],
      series: { 'mailroom_database_up{instance="a"}': "0x120", 'mailroom_database_up{instance="b"}': "1x120" },
    },
    // Scraped until an hour ago.
    { fires: ["MailroomHostGone"], series: { 'mailroom_build_info{instance="b"}': "1x60 _x60" } },
    { fires: ["MailroomRegionDown"], series: { 'mailroom_region_up{region="eu-west-1"}': "0x120" } },
    { fires: ["MailroomEmailLate"], series: { 'mailroom_queue_oldest_due_seconds{region="eu-west-1"}': "0+60x120" } },
    { fires: ["MailroomEventsLate"], series: { mailroom_events_oldest_undispatched_seconds: "0+60x120" } },
    { fires: ["MailroomReturnedMailLate"], series: { mailroom_returned_mail_oldest_waiting_seconds: "0+60x120" } },
    { fires: ["MailroomProcessDown"], series: { 'mailroom_process_up{process="worker"}': "1x60 0x60" } },
    { fires: ["MailroomSweepFails"], series: { 'mailroom_sweep_failures_total{step="bodies"}': "0+1x120" } },
    {
      fires: ["MailroomSweepLate"],
      series: { 'mailroom_sweep_last_success_timestamp_seconds{step="bodies"}': "0x120" },
    },
    { fires: ["MailroomWorkStandsStill"], series: { 'mailroom_work_overdue{work="mail"}': "0x60 1x60" } },
    {
      fires: ["MailroomWorkerWithoutRelay"],
      series: { 'mailroom_worker_reaches_region{region="eu-west-1"}': "0x120" },
    },
    {
      fires: ["MailroomStorageFails"],
      series: { 'mailroom_storage_operations_total{operation="write",outcome="failed"}': "0+60x120" },
    },
    {
      fires: ["MailroomBouncesRise"],
      series: {
        'mailroom_events_dispatched_total{type="sent"}': "0+10x120",
        'mailroom_events_dispatched_total{type="bounced"}': "0+2x120",
      },
    },
    { fires: ["MailroomVersionsDiffer"], series: { 'mailroom_build_info{version="2",instance="b"}': "1x120" } },
    { fires: ["MailroomPartitionsMissing"], series: { mailroom_partition_months_ahead: "1x120" } },
    {
      fires: ["MailroomErrors"],
      series: {
        'mailroom_http_requests_total{status="2xx"}': "0+600x120",
        'mailroom_http_requests_total{status="5xx"}': "0+60x120",
      },
    },
    { fires: ["MailroomPoolExhausted"], series: { 'mailroom_database_connections{state="waiting"}': "25x120" } },
  ]
  const tried = new Set(cases.flatMap(({ fires }) => fires))
  expect(tried).toEqual(new Set(sample("alerts.yml").match(/(?<=- alert: )\w+/g)))

  const file = join(folder, "alerts.test.yml")
  const tests = cases.map(({ fires, series }) => ({
    input_series: Object.entries({ ...running, ...series }).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: "2h",
        exp_samples: fires.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  }))
  const settings = { rule_files: [copied("alerts.yml")], evaluation_interval: "1m", tests }
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ ...settings, tests: tests.map((one) => ({ interval: "1m", ...one })) }))
  const { status, said } = read("promtool", "test", "rules", file)
  expect([status, said]).toEqual([0, expect.stringContaining("SUCCESS")])
})

/** Series of one case, with their values minute by minute as promtool writes them, and the alerts that fire after two hours. */
type Case = { fires: string[]; series: Record<string, string> }

const running = { 'mailroom_build_info{version="1",instance="a"}': "1x120" }
const well = {
  ...{ mailroom_database_up: "1x120", mailroom_partition_months_ahead: "12x120" },
  ...{ 'mailroom_process_up{process="worker"}': "1x120", 'mailroom_work_overdue{work="mail"}': "0x120" },
  ...{ 'mailroom_http_requests_total{status="2xx"}': "0+60x120" },
}
