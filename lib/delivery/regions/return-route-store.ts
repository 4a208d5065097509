import { loopTestLivesMs } from "@/lib/delivery/message/proven-ids"
import type { LoopTestCode, ReportsCode } from "@/lib/delivery/regions/region-rules"
import { databaseTime, secondsAfter } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { regionNames, type Region } from "@/lib/regions/regions"
import { nextHopOf, regionSettings } from "@/lib/regions/settings"

/** What is known of the way by which a region's mail comes back. */
export type ReturnRoute = {
  region: Region
  testId: string
  relay: string
  startedAt: Date
  sentAt: Date | null
  returnedAt: Date | null
  returnedFrom: string | null
  returnedTls: string | null
  endedAt: Date | null
  code: LoopTestCode | null
  diagnostic: string | null
  provedRelay: string | null
  offersReports: boolean | null
}

const shape = {
  region: true,
  testId: true,
  relay: true,
  startedAt: true,
  sentAt: true,
  returnedAt: true,
  returnedFrom: true,
  returnedTls: true,
  endedAt: true,
  code: true,
  diagnostic: true,
  provedRelay: true,
  offersReports: true,
} as const

export async function findReturnRoutes(): Promise<ReturnRoute[]> {
  const rows = await unscoped().returnRoute.findMany({ select: shape })
  return rows.flatMap((row) => {
    const region = regionNames.find((name) => name === row.region)
    return region ? [{ ...row, region, code: row.code as LoopTestCode | null }] : []
  })
}

/** Starts a loop test of a region, in the place of one that is under way; the proof of the former one stays until it ends. */
export async function startLoopTest(region: Region): Promise<void> {
  const begun = {
    testId: newId(),
    relay: nextHopOf(regionSettings().profiles[region]),
    startedAt: await databaseTime(),
    dueAt: await databaseTime(),
    sentAt: null,
    returnedAt: null,
    returnedFrom: null,
    returnedTls: null,
    endedAt: null,
    code: null,
    diagnostic: null,
  }
  await unscoped().returnRoute.upsert({ where: { region }, create: { region, ...begun }, update: begun })
}

export type DueLoopTest = { region: Region; testId: string }

/** Claims the loop tests that are to be sent, each once: from now on they are due when they count as lost. */
export async function claimLoopTests(): Promise<DueLoopTest[]> {
  const now = await databaseTime()
  const rows = await unscoped().returnRoute.findMany({ where: { dueAt: { lte: now } } })
  const claimed = await Promise.all(
    rows.map(async ({ region: name, testId, dueAt, startedAt }) => {
      const region = regionNames.find((each) => each === name)
      const lostAt = secondsAfter(startedAt, loopTestLivesMs / 1_000)
      if (now >= lostAt || !region) return end({ testId }, { code: "lost", provedRelay: null }).then(() => [])
      const { count } = await unscoped().returnRoute.updateMany({
        where: { region, testId, dueAt },
        data: { dueAt: lostAt },
      })
      return count ? [{ region, testId }] : []
    }),
  )
  return claimed.flat()
}

/** The relay took the mail, or did not. */
export async function noteLoopTestSent(
  { testId }: DueLoopTest,
  { accepted, diagnostic }: { accepted: boolean; diagnostic: string },
): Promise<void> {
  if (!accepted) return end({ testId }, { code: "not_accepted", diagnostic, provedRelay: null })
  await unscoped().returnRoute.updateMany({ where: { testId, sentAt: null }, data: { sentAt: await databaseTime() } })
}

/** The mail of a test has come to the listener; false if the test has ended or another one has taken its place. */
export async function passLoopTest(
  testId: string,
  { receivedAt, client, tls }: { receivedAt: Date; client: string; tls: string | null },
): Promise<boolean> {
  const test = await unscoped().returnRoute.findFirst({ where: { testId, code: null }, select: { relay: true } })
  if (!test) return false
  const session = { returnedAt: receivedAt, returnedFrom: client, returnedTls: tls }
  await end({ testId }, { code: "passed", ...session, provedRelay: test.relay })
  return true
}

/** A server on the way has returned the mail. */
export function failLoopTest(testId: string, diagnostic: string): Promise<void> {
  return end({ testId }, { code: "returned", diagnostic, provedRelay: null })
}

type End = {
  code: LoopTestCode
  diagnostic?: string
  returnedAt?: Date
  returnedFrom?: string
  returnedTls?: string | null
  provedRelay: string | null
}

async function end({ testId }: { testId: string }, data: End): Promise<void> {
  const endedAt = await databaseTime()
  await unscoped().returnRoute.updateMany({ where: { testId, code: null }, data: { ...data, endedAt, dueAt: null } })
}

/** Records what the relay of a region says of delivery reports. */
export async function noteReportsOffered(region: string, offersReports: boolean): Promise<void> {
  await unscoped().returnRoute.updateMany({
    where: { region, OR: [{ offersReports: null }, { offersReports: !offersReports }] },
    data: { offersReports },
  })
}

/** What `delivered=dsn` of a region comes to: without the proof that reports arrive, mail stays `sent` as with `never`. */
export function reportsOf(region: Region, routes: readonly ReturnRoute[]): ReportsCode | null {
  if (regionSettings().profiles[region].delivered !== "dsn") return null
  if (!isProved(region, routes)) return "not_proved"
  return routes.find((each) => each.region === region)?.offersReports === false ? "not_offered" : "asked"
}

/** Whether mail of the region came back to the listener when it was tested last, through the relay that it has now. */
export function isProved(region: Region, routes: readonly ReturnRoute[]): boolean {
  const route = routes.find((each) => each.region === region)
  return route?.provedRelay === nextHopOf(regionSettings().profiles[region])
}
