import { newSend } from "@/e2e/bench/accept-floor"
import { callFor, type Load } from "@/e2e/bench/load"
import { message } from "@/e2e/bench/messages"
import { median, ratio, type Row } from "@/e2e/bench/table"
import { makeWorld, type World } from "@/e2e/bench/world"
import { slowCommits } from "@/e2e/support/slow-commits"
import { acceptTogether, allowanceTaken } from "@/lib/emails/send/data"
import { type ComposedEmail, NewEmail } from "@/lib/emails/send/schema"
import { sqlState } from "@/lib/platform/database/sql-errors"

const commitMs = 3
const organizations = 20
/** Statements at a time, as of several processes. */
const connections = 10

/**
 * Accepts a second of one organization beside those of twenty, one send a statement, while commits take 3 ms: whether the sends
 * of one organization wait for each other's commits.
 */
export async function measureCommits({
  rounds,
  ms,
  warmMs,
}: {
  rounds: number
  ms: number
  warmMs: number
}): Promise<Row[]> {
  const worlds: World[] = []
  for (let at = 0; at < organizations; at++) worlds.push(await makeWorld(1, { suppressed: 0 }))
  const one = worlds.slice(0, 1)
  await acceptsOf(worlds, warmMs)
  const measured: { one: Load; many: Load }[] = []
  await slowCommits(commitMs)
  try {
    for (let round = 0; round < rounds; round++)
      measured.push({ one: await acceptsOf(one, ms), many: await acceptsOf(worlds, ms) })
  } finally {
    await slowCommits(0)
  }
  const rates = (of: "one" | "many") => measured.map((round) => round[of].perSecond)
  return [
    {
      what: `accepts of one organization / of ${organizations}, commits of ${commitMs} ms, ${connections} at a time`,
      measured: `one ${median(rates("one")).toFixed(0)}/s, ${organizations} ${median(rates("many")).toFixed(0)}/s`,
      ...{ ratio: ratio(rates("one"), rates("many")), goal: 0.8 },
    },
  ]
}

function acceptsOf(worlds: readonly World[], ms: number): Promise<Load> {
  let turn = 0
  return callFor({ connections, ms }, async () => {
    const world = worlds[turn++ % worlds.length]
    if (world) await acceptOne(world)
  })
}

async function acceptOne(world: World): Promise<void> {
  const { projectId, domain } = world
  const send = newSend(NewEmail.parse(message(domain, 0)) as ComposedEmail)
  try {
    await acceptTogether(projectId, [send])
  } catch (error) {
    // Another one took what was left between look and debit: it is decided anew.
    if (sqlState(error) !== allowanceTaken) throw error
    await acceptOne(world)
  }
}
