import { dkimValue } from "@/lib/domains/records/records"
import type { WatchedRecord } from "@/lib/domains/rules"

/** How long the TXT of a key that was rotated out has to stay: mail on its way is still checked against it. */
export const retiredKeepMs = 7 * 24 * 60 * 60 * 1000

/**
 * The records after a rotation: the active key comes first; the idle selector waits for a new value, beside
 * which the old one is shown until nobody needs it.
 */
export function rotatedRecords(
  records: WatchedRecord[],
  idle: "dkim-a" | "dkim-b",
  publicKey: string,
  now: Date,
): WatchedRecord[] {
  const inUse = records.filter(({ key }) => isDkim(key) && key !== idle).map(withoutRetired)
  const waiting = records
    .filter(({ key }) => key === idle)
    .map((record): WatchedRecord => {
      const { likelyCause: _likelyCause, lastAnswerAt: _lastAnswerAt, ...rest } = record
      const keepUntil = new Date(now.getTime() + retiredKeepMs).toISOString()
      const retired = { value: record.value, keepUntil }
      return { ...rest, value: dkimValue(publicKey), status: "pending", found: [], retired }
    })
  return [...inUse, ...waiting, ...records.filter(({ key }) => !isDkim(key))]
}

/** Whether the retired value still has to be published at the record's name. */
export function mustStay({ retired }: Pick<WatchedRecord, "retired">, now: Date): boolean {
  return retired !== undefined && now.getTime() < Date.parse(retired.keepUntil)
}

/** What belongs at the record's name now: the retired value as long as it must stay, then the new one. */
export function dueValue(record: WatchedRecord, now: Date): string {
  return record.retired && mustStay(record, now) ? record.retired.value : record.value
}

function isDkim(key: WatchedRecord["key"]): boolean {
  return key === "dkim-a" || key === "dkim-b"
}

/** A key in use replaces nothing any more. */
function withoutRetired({ retired: _retired, ...record }: WatchedRecord): WatchedRecord {
  return record
}
