import { setTimeout as wait } from "node:timers/promises"
import { startInstallation } from "@/e2e/bench/installation"
import { processTree, type ProcessUse } from "@/e2e/bench/process-tree"
import type { Row } from "@/e2e/bench/table"

const goals = { percent: 1, megabytes: 600 }

/** By what their command lines contain; what matches none is the supervisor. */
const kinds: readonly [name: string, part: RegExp][] = [
  ["web", /dist\/web\.js/],
  ["worker", /dist\/worker\.js/],
  ["mail", /dist\/mail\.js/],
  ["sandbox", /dist\/sandbox\.js/],
  ["PostgreSQL", /postgres/],
]

/** What an idle installation takes of the machine, started as an operator starts it, some time after its start. */
export async function measureIdle({ settleMs, ms }: { settleMs: number; ms: number }): Promise<Row[]> {
  const installation = await startInstallation(process.cwd())
  try {
    await wait(settleMs)
    const [before, startedAt] = [processTree(installation.pid), performance.now()]
    await wait(ms)
    const seconds = (performance.now() - startedAt) / 1_000
    return rowsOf(before, processTree(installation.pid), seconds)
  } finally {
    await installation.stop()
  }
}

function rowsOf(before: ProcessUse[], after: ProcessUse[], seconds: number): Row[] {
  const percent = (of: (use: ProcessUse) => boolean) =>
    (100 * (cpuOf(after.filter(of)) - cpuOf(before.filter(of)))) / seconds
  const megabytes = (of: (use: ProcessUse) => boolean) => after.filter(of).reduce((sum, use) => sum + use.megabytes, 0)
  const names = ["supervisor", ...kinds.map(([name]) => name)]
  const each = (figure: (of: (use: ProcessUse) => boolean) => number, digits: number) =>
    names.map((name) => `${name} ${figure((use) => kindOf(use) === name).toFixed(digits)}`).join(", ")
  return [
    {
      what: `an idle installation: CPU of all processes over ${seconds.toFixed(0)} s, % of one core`,
      measured: each(percent, 2),
      ...{ value: percent(() => true), unit: "%", goal: goals.percent, atMost: true },
    },
    {
      what: "an idle installation: memory of all processes (PSS)",
      measured: each(megabytes, 0),
      ...{ value: megabytes(() => true), unit: "MB", goal: goals.megabytes, atMost: true },
    },
  ]
}

function kindOf({ command }: ProcessUse): string {
  return kinds.find(([, part]) => part.test(command))?.[0] ?? "supervisor"
}

function cpuOf(uses: readonly ProcessUse[]): number {
  return uses.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
}
