import { readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { measureAccept } from "@/e2e/bench/accept"
import { measureCommits } from "@/e2e/bench/commits"
import { measureBatch } from "@/e2e/bench/batch"
import { measureDelivery } from "@/e2e/bench/delivery"
import { measureLog } from "@/e2e/bench/email-log"
import { measureEvents } from "@/e2e/bench/events"
import { withFigures, type Figure } from "@/e2e/bench/figures"
import { measureDirect } from "@/e2e/bench/direct"
import { measureIdle } from "@/e2e/bench/idle"
import { measureNeighbours } from "@/e2e/bench/neighbours"
import { measureNode } from "@/e2e/bench/node"
import { measureSearch } from "@/e2e/bench/search"
import { measureSoak } from "@/e2e/bench/soak"
import { setStage } from "@/e2e/bench/stage"
import { measureStart } from "@/e2e/bench/start"
import { measureStream } from "@/e2e/bench/stream"
import { isMissed, table, type Row } from "@/e2e/bench/table"
import { makeWorld } from "@/e2e/bench/world"
import { measureTemplates } from "@/e2e/bench/templates"
import { print, printAndExit } from "@/lib/server/processes/print"

const full = {
  ...{ rounds: 5, ms: 2_000, warmMs: 6_000, keys: 3_000, concurrencies: [1, 16, 64] },
  ...{ mails: 6_000, emails: 1_000_000, stream: { listeners: 1_000, eventsPerSecond: 200, seconds: 10 } },
  idle: { settleMs: 240_000, ms: 120_000 },
  soak: { minutes: 10, minuteMs: 60_000, peakMs: 5_000 },
  neighbours: { contacts: 200_000, aloneMs: 6_000, besideMs: 6_000, load: /./ },
  templates: { rounds: 3, recipients: 10_000 },
  events: { rounds: 3, events: 100_000 },
}
/** Whether everything runs, not how fast. */
const quick: typeof full = {
  ...{ rounds: 1, ms: 200, warmMs: 200, keys: 300, concurrencies: [1, 16] },
  ...{ mails: 100, emails: 2_000, stream: { listeners: 10, eventsPerSecond: 50, seconds: 1 } },
  idle: { settleMs: 0, ms: 1_000 },
  soak: { minutes: 3, minuteMs: 500, peakMs: 200 },
  neighbours: { contacts: 2_000, aloneMs: 500, besideMs: 500, load: /./ },
  templates: { rounds: 1, recipients: 100 },
  events: { rounds: 1, events: 2_000 },
}
const sections = ["sends", "node", "batches", "delivery", "stream", "log", "search"] as const
/** Only where they are asked for: they take a quarter of an hour, and two to seven minutes. */
const onRequest = ["soak", "neighbours", "direct", "templates", "commits", "events"] as const
/** The page with the table of figures. */
const page = "e2e/README.md"
type Section = (typeof sections)[number] | (typeof onRequest)[number]

try {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      load: { type: "string" },
      write: { type: "boolean", default: false },
    },
  })
  const all = [...(values.quick ? [] : ["start"]), "idle", ...sections]
  const plan = values.quick ? quick : full
  const neighbours = { ...plan.neighbours, load: new RegExp(values.load ?? "") }
  const figures = await measure({ ...plan, neighbours }, values.only?.split(",") ?? all)
  const rows = figures.map(({ row }) => row)
  process.stdout.write(`${table(rows)}\n`)
  if (values.write && !values.quick) {
    const today = new Date().toISOString().slice(0, 10)
    writeFileSync(page, withFigures(readFileSync(page, "utf8"), figures, today))
  }
  // People wait for a search: it is not to become slower unnoticed.
  process.exit(!values.quick && rows.some((row) => row.what.startsWith("search") && isMissed(row)) ? 1 : 0)
} catch (error) {
  printAndExit(error)
}

/** A first start and an idle installation first, while nothing else runs; then the other sections. */
async function measure(plan: typeof full, wanted: string[]): Promise<Figure[]> {
  const start = wanted.includes("start") ? figuresOf("start", await measureStart()) : []
  const idle = wanted.includes("idle") ? figuresOf("idle", await measureIdle(plan.idle)) : []
  const staged = [...sections, ...onRequest].filter((name) => wanted.includes(name))
  return [...start, ...idle, ...(staged.length > 0 ? await measureStaged(plan, staged) : [])]
}

function figuresOf(section: string, rows: readonly Row[]): Figure[] {
  return rows.map((row) => ({ row, command: `npm run bench -- --only ${section}` }))
}

/** Runs sections one after the other on one machine; the email log and its search come last, so that their rows slow nothing else. */
async function measureStaged(plan: typeof full, wanted: Section[]): Promise<Figure[]> {
  const stage = await setStage(print)
  // What was started for the bench ends with it, however it ends.
  const stop = () => void stage.close().then(() => process.exit(130))
  process.once("SIGINT", stop).once("SIGTERM", stop)
  try {
    const newWorld = () => makeWorld(plan.keys)
    const measures: Record<Section, () => Promise<Row[]>> = {
      sends: async () => measureAccept(stage, await newWorld(), plan),
      node: async () => measureNode(await newWorld(), plan),
      batches: async () => measureBatch(stage, await newWorld(), plan),
      delivery: async () => measureDelivery(stage, await newWorld(), plan),
      direct: async () => measureDirect(stage, await newWorld(), plan),
      commits: () => measureCommits(plan),
      events: () => measureEvents(stage, plan.events),
      templates: async () => measureTemplates(stage, await newWorld(), plan.templates),
      stream: async () => measureStream(stage, await newWorld(), plan.stream),
      log: async () => measureLog(stage, await newWorld(), plan),
      soak: async () => measureSoak(stage, await newWorld(), plan.soak),
      neighbours: async () => measureNeighbours(stage, await newWorld(), plan.neighbours),
      search: async () => measureSearch(stage, await newWorld(), plan),
    }
    const figures: Figure[] = []
    for (const section of wanted) {
      print(`Measuring ${section} …`)
      const measured = await measures[section]()
      print(table(measured))
      figures.push(...figuresOf(section, measured))
      await stage.settle()
    }
    return figures
  } finally {
    await stage.close()
  }
}
