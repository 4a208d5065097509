import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkLanes, binary, runLanes, runStep, type Step, type StepOutcome } from "@/lib/cli/checks/steps"
import {
  type Browsers,
  debianPostgres,
  findBrowsers,
  findProgram,
  findSwift,
  otherNode,
} from "@/lib/cli/checks/programs"
import { print, printAndExit } from "@/lib/server/processes/print"
import {
  countOfPlaywright,
  countOfVitest,
  failuresOfPlaywright,
  failuresOfVitest,
  type Count,
} from "@/lib/cli/checks/test-reports"

const reports = mkdtempSync(join(tmpdir(), "mailroom-reports-"))
/** Migrations, and the statements of every loop, run and explained; the long run repeats all tests. */
const onOldestPostgres = ["prisma/schema-equality.db", "lib/worker/plans.db"]
/** Programs of the long test on a cluster, and Debian's packages. */
const clusterPrograms = [
  // Patroni does with any of several stores, so it brings this one only where none is installed.
  ["/usr/lib/python3/dist-packages/etcd/__init__.py", "python3-etcd"],
  ["patroni", "patroni"],
  ["etcd", "etcd-server"],
] as const
/** Programs that read the samples of `lib/deploy`, and Debian's packages. */
const deployPrograms = [
  ["haproxy", "haproxy"],
  ["nginx", "nginx"],
  ["caddy", "caddy"],
  ["prometheus", "prometheus"],
  ["systemd-analyze", "systemd"],
] as const
const build: Step = { name: "build", args: ["lib/cli/launch.mjs", "build", "--pages"] }
try {
  const total = sum(await everything())
  rmSync(reports, { recursive: true, force: true })
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
  process.exit(total.failed === 0 ? 0 : 1)
} catch (error) {
  rmSync(reports, { recursive: true, force: true })
  printAndExit(error)
}

async function everything(): Promise<Count[]> {
  const long = process.argv.includes("--long")
  const browsers = hasSpecs() ? findBrowsers() : null
  findProgram({ names: ["knotd"], debianPackages: ["knot"], purpose: "the tests against a real name server" })
  findProgram({
    names: ["unbound"],
    debianPackages: ["unbound"],
    purpose: "the tests against a resolver that validates",
  })
  findProgram({ names: ["openssl"], debianPackages: ["openssl"], purpose: "the certificates of the tests" })
  findProgram({ names: ["postfix"], debianPackages: ["postfix"], purpose: "the tests against a real mail server" })
  findProgram({ names: ["swaks"], debianPackages: ["swaks"], purpose: "the tests of email handed in by programs" })
  findProgram({ names: ["msmtp"], debianPackages: ["msmtp"], purpose: "the tests of email handed in by programs" })
  findProgram({ names: ["python3"], debianPackages: ["python3"], purpose: "the tests of clients in Python" })
  findProgram({
    names: ["pgbouncer"],
    debianPackages: ["pgbouncer"],
    purpose: "the tests against a real connection pooler",
  })
  findProgram({
    names: [join(debianPostgres, "postgres")],
    debianPackages: ["postgresql-15"],
    purpose: "the tests on the oldest PostgreSQL",
  })
  findProgram({
    names: ["/usr/lib/python3/dist-packages/flufl/bounce/testing/helpers.py"],
    debianPackages: ["python3-flufl.bounce"],
    purpose: "the tests against a corpus of returned mails",
  })
  for (const [name, debianPackage] of deployPrograms)
    findProgram({ names: [name], debianPackages: [debianPackage], purpose: "the tests of the samples of lib/deploy" })
  if (long) findSwift()
  for (const [name, debianPackage] of long ? clusterPrograms : [])
    findProgram({ names: [name], debianPackages: [debianPackage], purpose: "the long test on a database cluster" })
  // Tests of the database wait for half of their time: what only computes runs beside them, one after the other, since two
  // cores that are asked for more make tests late that have a limit.
  const checking = runLanes([[build, ...checkLanes().flat()]])
  const testing = counted(vitest(long))
  const outcomes = await checking
  const checks = outcomes.map(ofOutcome)
  const built = outcomes.some(({ name, passed }) => name === build.name && passed)
  if (long) await testing
  const onOldest = counted(vitestOnOldestPostgres(long))
  if (long || !browsers || !built) await onOldest
  if (!browsers || !built) return [...checks, await testing, await onOldest]
  const tests = await testing
  await onOldest
  // What the tests wrote and deleted goes to the disk now: the commits of the product, which are durable, would wait for it.
  spawnSync("sync", { timeout: 120_000 })
  // Each run starts its own product. The long run measures, so nothing runs beside it.
  const inBrowser = await counted(playwright(browsers, long))
  const more = long ? [await counted(playwright(browsers, long, "next")), ...(await onOtherNode(browsers))] : []
  return [...checks, tests, await onOldest, inBrowser, ...more]
}

/** The oldest Node that is supported and the recommended one: what is not about full numbers runs on the other one, too. */
async function onOtherNode(browsers: Browsers): Promise<Count[]> {
  const { version, program } = otherNode()
  const there = (run: TestRun): TestRun => ({ ...run, program, name: `${run.name}, on Node ${version}` })
  return [await counted(there(vitest(false))), await counted(there(playwright(browsers, false)))]
}

/** A step that writes a report of its tests, as JSON. */
type TestRun = Step & { report: string; countOf: (report: unknown) => Count }

function vitest(long: boolean, more: string[] = [], name = "unit and database tests"): TestRun {
  const report = join(reports, `${name.replaceAll(" ", "-")}.json`)
  return {
    name,
    args: [binary("vitest"), "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`, ...more],
    env: long ? { MAILROOM_LONG: "1" } : {},
    failures: () => failuresOfVitest(read(report)),
    report,
    countOf: countOfVitest,
  }
}

function vitestOnOldestPostgres(long: boolean): TestRun {
  const which = ["--project=db", "--project=db-isolated", ...(long ? [] : onOldestPostgres)]
  return { ...vitest(false, which, "database tests on PostgreSQL 15"), env: { TEST_POSTGRES: "15" } }
}

function playwright(
  { chromium, headlessShell }: Browsers,
  long: boolean,
  mount: "direct" | "next" = "direct",
): TestRun {
  const report = join(reports, `playwright-${mount}.json`)
  return {
    name: mount === "next" ? "the API by Next" : "the product in the browser and over HTTP",
    args: [binary("@playwright/test", "playwright"), "test", "--reporter=list,json"],
    env: {
      CHROMIUM_PATH: chromium,
      HEADLESS_SHELL_PATH: headlessShell,
      API_MOUNT: mount,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      ...(long ? { MAILROOM_LONG: "1" } : {}),
    },
    failures: () => failuresOfPlaywright(read(report)),
    report,
    countOf: countOfPlaywright,
  }
}

/** A run that broke off before its report, or failed outside of any test, is one failure more. */
async function counted(run: TestRun): Promise<Count> {
  rmSync(run.report, { force: true })
  const outcome = await runStep(run)
  // What the long tests have measured.
  for (const line of outcome.output.match(/^figures: .*$/gm) ?? []) print(line)
  const report = read(run.report)
  const count = report ? run.countOf(report) : { passed: 0, failed: 0 }
  return !outcome.passed && count.failed === 0 ? { ...count, failed: 1 } : count
}

/** What a run of tests reported; null when it broke off before. */
function read(report: string): unknown {
  return existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null
}

function ofOutcome({ passed }: StepOutcome): Count {
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1 }
}

function sum(counts: Count[]): Count {
  return counts.reduce((all, one) => ({ passed: all.passed + one.passed, failed: all.failed + one.failed }))
}

function hasSpecs(): boolean {
  return existsSync("e2e") && readdirSync("e2e", { recursive: true }).some((name) => String(name).endsWith(".spec.ts"))
}
