import { parseArgs } from "node:util"
import { measureAccept } from "./bench/accept"
import { measureBatch } from "./bench/batch"
import { clearMail } from "./bench/clear-store"
import { setStage } from "./bench/stage"
import { table, type Row } from "./bench/table"
import { makeWorld } from "./bench/world"
import { say, sayAndExit } from "./say"

const full = { rounds: 5, ms: 2_000, keys: 2_400, concurrencies: [1, 16, 64] }
const quick = { rounds: 1, ms: 200, keys: 300, concurrencies: [1, 16] }

try {
  const { values } = parseArgs({ args: process.argv.slice(3), options: { quick: { type: "boolean", default: false } } })
  process.stdout.write(`${table(await everything(values.quick ? quick : full))}\n`)
  process.exit(0)
} catch (error) {
  sayAndExit(error)
}

async function everything(plan: typeof full): Promise<Row[]> {
  const stage = await setStage(say)
  try {
    const world = await makeWorld(plan.keys)
    const rows: Row[] = []
    const section = async (name: string, measure: () => Promise<Row[]>) => {
      say(`Measuring ${name} …`)
      rows.push(...(await measure()))
      await clearMail()
    }
    await section("single sends", () => measureAccept(stage, world, plan))
    await section("batches", () => measureBatch(stage, world, plan))
    return rows
  } finally {
    await stage.close()
  }
}
