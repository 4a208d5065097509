import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { settingsOf } from "@/lib/platform/env/settings"
import { parseRegionSettings } from "@/lib/regions/settings"
import { parseSubmissionSettings } from "@/lib/delivery/smtp/submission-settings"

const folder = "lib/deploy"
const read = (name: string) => readFileSync(join(folder, name), "utf8")

const metricInSources =
  /\b(?:counter|gauge|histogram)\(\s*"(mailroom_[a-z_]+)",\s*"(?:[^"\\]|\\.)*",?\s*(?:(?:\[[\d._,\s]+\]|\w+),?\s*)?(?:\[([^\]]*)\])?/g

/** The metrics that the sources make, with their labels. */
function metricsInSources(): Map<string, string[]> {
  const files = readdirSync("lib", { recursive: true, encoding: "utf8" }).filter((name) => /(?<!test)\.ts$/.test(name))
  const texts = files.map((name) => readFileSync(join("lib", name), "utf8"))
  const made = texts.flatMap((text) =>
    [...text.matchAll(metricInSources)].map(
      ([, name = "", labels = ""]) => [name, labels.match(/\w+/g) ?? []] as [string, string[]],
    ),
  )
  // Made by the supervisor and by prom-client.
  return new Map([...made, ["mailroom_process_up", []], ["process_cpu_seconds_total", []]])
}

/** Of every metric: the scrape adds the first two, the supervisor the process, a histogram its bounds. */
const labelsOfAll = ["instance", "job", "process", "le"]

test.each(["alerts.yml", "grafana.json"])("every metric of %s exists", (file) => {
  const known = metricsInSources()
  const named = new Set(read(file).match(/\bmailroom_[a-z_]+/g))
  const missing = [...named].filter((name) => !known.has(withoutSuffix(name)))
  expect(named.size).toBeGreaterThan(8)
  expect(missing).toEqual([])
})

test("the operating guide has every metric, with its labels", () => {
  const text = readFileSync("lib/cli/README.md", "utf8")
  const told = new Map(
    [...text.matchAll(/`((?:mailroom|process)_[a-z_]+)(?:\{([^}]*)\})?`/g)].map(([, name, of = ""]) => [name, of]),
  )
  const made = [...metricsInSources()].filter(([name]) => name !== "mailroom_process_up")
  expect(made.filter(([name, labels]) => told.get(name) !== labels.join(",")).map(([name]) => name)).toEqual([])
})

test("every label that an alert or a panel counts by, compares or shows is one of its metric", () => {
  const known = metricsInSources()
  const rules = read("alerts.yml").split("- alert: ").slice(1)
  const panels = (JSON.parse(read("grafana.json")) as Board).panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr, legendFormat = "" }) => `${expr} ${legendFormat}`),
  )
  const wrong = [...rules, ...panels].flatMap((text) => {
    const metrics = text.match(/\b(?:mailroom|process)_[a-z_]+/g) ?? []
    const own = new Set([...labelsOfAll, ...metrics.flatMap((name) => known.get(withoutSuffix(name)) ?? [])])
    const used = [
      ...[...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(/,\s*/)),
      ...[...text.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, name = ""]) => name),
      ...[...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, name = ""]) => name),
    ]
    return used.filter((name) => !own.has(name)).map((name) => `${name}: ${text}`)
  })
  expect([rules.length > 10, panels.length > 10, wrong]).toEqual([true, true, []])
})

type Board = { panels: { targets?: { expr: string; legendFormat?: string }[] }[] }

function withoutSuffix(name: string): string {
  return name.replace(/_(bucket|sum|count)$/, "")
}

test("every variable that the kit sets is one that Mailroom reads", () => {
  const settings = [
    "lib/platform/env/settings.ts",
    "lib/regions/settings.ts",
    "lib/delivery/smtp/submission-settings.ts",
  ].map((name) => readFileSync(name, "utf8"))
  const known = new Set(settings.join("\n").match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|PORT|HOST|ROLES/g))
  const ofOthers = /^(POSTGRES_|DATABASE_PASSWORD$|NODE_EXTRA_CA_CERTS$)/
  for (const file of ["Dockerfile", "compose.yml", "chart/values.yaml", "mailroom.service", "operating.md"]) {
    const set = read(file).match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+(?=[=:]\s?[^\n])/g) ?? []
    expect({ file, unknown: set.filter((name) => !known.has(name) && !ofOthers.test(name)) }).toEqual({
      file,
      unknown: [],
    })
  }
})

test("the settings of operating.md are taken as they are written there", () => {
  const lines =
    read("operating.md")
      .match(/^ {3}ROLES=[^`]*/m)?.[0]
      .trim()
      .split(/\s*\n\s*/) ?? []
  // Passwords and keys are yours.
  const usable = { SECRET_KEY: randomBytes(32).toString("base64") }
  const variables = { ...Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))), ...usable }
  const settings = settingsOf(variables)
  expect([lines.length, settings.error?.issues]).toEqual([9, undefined])
  expect(() => parseRegionSettings(variables, settingsOfTests)).not.toThrow()
})

test("the sandbox, which takes the email to the simulator, runs beside every worker of the kit", () => {
  const roles = [
    ...[...read("operating.md").matchAll(/^ +ROLES=(.*)$/gm)].map(([, named = ""]) => named),
    ...[...read("mailroom.service").matchAll(/ROLES=([\w,]+)/g)].map(([, named = ""]) => named),
    ...[...read("compose.yml").matchAll(/command: \[(.*)\]/g)].map(([, named = ""]) => named),
    read("mailroom@.service")
      .match(/mailroom@web.*sandbox/)?.[0]
      .replaceAll("mailroom@", "") ?? "worker",
    read("chart/templates/roles.yaml")
      .match(/args: .*/)?.[0]
      .replace("{{ $role }}", "worker") ?? "worker",
  ]
  const workers = roles.filter((named) => named.includes("worker"))
  expect([workers.length, workers.filter((named) => !named.includes("sandbox"))]).toEqual([5, []])
})

test("the workers of the kit know the port for returned mail, without which email names no address to unsubscribe by mail", () => {
  const ofAll = read("compose.yml").match(/environment: &settings([^]*?)\nservices:/)?.[1]
  expect(ofAll).toMatch(/^ +INBOUND_PORT: "2526"$/m)
  expect(read("chart/values.yaml")).toMatch(/^ {2}INBOUND_PORT: "2526"$/m)
  expect(read("operating.md")).toMatch(/^ +INBOUND_PORT=2526$/m)
})

test("the roles that do not take mail tell programs the ports that lead to it, and the one that does listens behind them", () => {
  const services = read("compose.yml")
  const [ofAll = "", ofMail = ""] = services.split(/^ {2}mail:$/m)
  const behind = /^ +ports: \["25:2526", "587:(\d+)", "465:(\d+)"\]$/m.exec(ofMail)?.slice(1)
  expect([portsIn(ofAll), portsIn(ofMail)]).toEqual([["587", "465"], behind])
  const template = read("chart/templates/roles.yaml")
  // Not within a condition on the role.
  expect(template).toMatch(/^ +\{\{- if \$\.Values\.tlsSecretName \}\}\n(?: +#.*\n)? +- \{ name: TLS_CERT/m)
  expect(template).toMatch(/if ne \$role "mail" \}\}\n +- \{ name: SUBMISSION_PORT, value: "587" \}/)
  const told = { SUBMISSION_PORT: "587", SUBMISSION_TLS_PORT: "465" }
  const files = { cert: "/tls/tls.crt", key: "/tls/tls.key" }
  expect(parseSubmissionSettings(told, { tls: files, baseUrl: "https://mail.example.com" })).toMatchObject({
    ...{ host: "mail.example.com", port: 587, tlsPort: 465, isPublic: true },
  })
})

function portsIn(text: string) {
  return [...text.matchAll(/SUBMISSION_(?:TLS_)?PORT: "(\d+)"/g)].map(([, port]) => port)
}

test("a balancer in front of port 25 is told of as what makes SPF of inbound email fail", () => {
  const frontend = read("haproxy.cfg").match(/^frontend returned_mail$[^]*?^backend/m)?.[0]
  expect(frontend).toMatch(/mode tcp[^]*SPF fails for all email to inbound/)
  expect(read("operating.md")).toMatch(/\*\*Returned mail\.\*\*[^]*behind a balancer for TCP[^]*SPF fails/)
})

const settingsOfTests = { serviceDomain: "mail.example.com", dnsServers: [] }

test("compose.yml names each variable that is missing: without a text of its own, podman-compose passes the name on as the value", () => {
  const needed = [...read("compose.yml").matchAll(/\$\{([A-Z_0-9]+):\?([^}]*)\}/g)]
  expect(needed.length).toBeGreaterThan(5)
  for (const [, name = "", text] of needed) expect(text).toContain(name)
})
