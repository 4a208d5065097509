import type { Installation } from "@/lib/delivery/setup/schema"
import { utcMinute } from "@/lib/platform/format"
import { dayMs, hourMs } from "@/lib/platform/time"

/** What is known of the installation, in words; `attention` where an operator should do something. */
export type InstallationRow = { name: string; value: string; attention?: true }

/** The rows of the page and of `admin doctor`. */
export function installationRows(facts: Installation, now: Date): InstallationRow[] {
  const { name, origin, cell, versions, regions } = facts
  const { mailroom, node, postgres, schema } = versions
  return [
    { name: "Name", value: `${name}, at ${origin}` },
    ...(cell === undefined ? [] : [{ name: "Cell", value: cell }]),
    ...regions.map((region) => ({ name: `Region ${region.region}`, value: regionWords(region) })),
    queueRow(facts.queue),
    diskRow(facts.disk),
    backupRow(facts.backedUpAt, now),
    {
      name: "Versions",
      value: `Mailroom ${mailroom}, Node.js ${node}, PostgreSQL ${postgres}, schema ${schema}`,
    },
  ]
}

const reportWords = {
  accept: "what it accepts counts as delivered",
  dsn: "delivery is reported by mail",
  events: "delivery is reported by events",
  never: "delivery is not reported",
}

function regionWords({ transport, nextHop, delivered }: Installation["regions"][number]): string {
  if (transport === "sandbox") return "sandbox mailbox on this host; nothing leaves"
  if (transport === "direct") return "direct, to the recipients' own servers"
  const way = transport === "ses" ? `Amazon SES, ${nextHop}` : `relay ${nextHop}`
  return `${way}; ${reportWords[delivered]}`
}

const waitsLongSeconds = 300

function queueRow({ due, oldestSeconds }: Installation["queue"]): InstallationRow {
  if (due === 0) return { name: "Queue", value: "nothing waits for a worker" }
  const value = `${due} due, the oldest for ${oldestSeconds < 120 ? `${oldestSeconds} s` : `${Math.round(oldestSeconds / 60)} min`}`
  return { name: "Queue", value, ...(oldestSeconds > waitsLongSeconds && { attention: true }) }
}

/** Below either, the disk wants room. */
const diskLeast = { share: 0.1, days: 14 }

function diskRow({ totalBytes, freeBytes, daysLeft }: Installation["disk"]): InstallationRow {
  const full = daysLeft === undefined ? "" : `, full in about ${daysLeft === 1 ? "1 day" : `${daysLeft} days`}`
  const isShort = freeBytes < totalBytes * diskLeast.share || (daysLeft ?? Infinity) < diskLeast.days
  return {
    name: "Disk",
    value: `${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} free${full}`,
    ...(isShort && { attention: true }),
  }
}

function gigabytes(bytes: number): string {
  const size = bytes / 2 ** 30
  return `${size.toFixed(size < 10 ? 1 : 0)} GiB`
}

const backupAgeMaxMs = 2 * dayMs

function backupRow(at: Date | undefined, now: Date): InstallationRow {
  if (!at) return { name: "Backup", value: "none by `admin backup`; backups by other programs are not known here" }
  const age = Math.max(0, now.getTime() - at.getTime())
  const words = age < 2 * dayMs ? `${Math.floor(age / hourMs)} h` : `${Math.floor(age / dayMs)} days`
  return {
    name: "Backup",
    value: `${words} old, of ${utcMinute(at)}`,
    ...(age > backupAgeMaxMs && { attention: true }),
  }
}
