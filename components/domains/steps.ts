import { recordGroups, type ShownRecord } from "@/components/domains/records"
import { dmarcWords, isWrong, newValue, trackingWords, type Words } from "@/components/domains/statuses"
import type { Domain } from "@/components/domains/queries"

export type RecordStep = Words & { title: string; text: string }

/** The four parts of a sending domain, each with its state in a word. */
export function domainSteps(domain: Domain): RecordStep[] {
  const records = recordGroups(domain).flatMap((group) => group.records)
  const of = (...keys: ShownRecord["key"][]) => records.filter(({ key }) => keys.includes(key))
  return [
    { title: "DKIM", text: "Signs your mail", ...dkim(domain, of("dkim-a", "dkim-b")) },
    {
      title: "MAIL FROM",
      text: "Bounces return to this service",
      ...needed(domain, domain.mailFromStatus, of("mail-from-mx", "mail-from-spf")),
    },
    { title: "DMARC", text: "Recommended", ...dmarc(of("dmarc")) },
    { title: "Tracking", text: "Links on your own name", ...tracking(of("tracking")) },
  ]
}

function dkim(domain: Domain, records: ShownRecord[]): Words {
  if (domain.dkimStatus !== "verified") return needed(domain, domain.dkimStatus, records)
  const standby = records.every(({ status }) => status === "verified")
  const tip = standby
    ? "The key that signs is published, and so is its standby."
    : "The key that signs is published. Publish the standby too: then the key can be changed without touching the DNS."
  return { tone: "good", word: "Found", tip }
}

function needed(domain: Domain, status: string, records: ShownRecord[]): Words {
  const found = records.filter((record) => record.status === "verified").length
  if (records.some(({ oldValue }) => oldValue !== undefined)) return newValue
  if (status === "verified") return { tone: "good", word: "Found", tip: "Both records are in place." }
  if (status === "failed")
    return { tone: "bad", word: "Missing", tip: "Not in place for 72 hours, so nothing is sent." }
  const isDifferent = records.some(isWrong)
  if (domain.status === "degraded" && !isDifferent)
    return { tone: "warn", word: "Missing", tip: "It was in place and is no longer found." }
  if (domain.status !== "degraded" && found > 0)
    return { tone: "warn", word: `${found} of ${records.length} found`, tip: "The rest is still missing." }
  if (isDifferent)
    return { tone: "warn", word: "Wrong record", tip: "A different record was found. See the records below." }
  return { tone: "wait", word: "Not found", tip: "We keep checking." }
}

function dmarc([record]: ShownRecord[]): Words {
  const words = record && dmarcWords(record)
  if (words) return words
  if (record && isWrong(record))
    return { tone: "warn", word: "Wrong record", tip: "A different record was found. See the records below." }
  return { tone: "wait", word: "None", tip: "No policy applies yet. You can send without." }
}

function tracking([record]: ShownRecord[]): Words {
  const words = record && trackingWords(record)
  if (words) return words
  if (record && isWrong(record))
    return { tone: "warn", word: "Wrong record", tip: "A different record was found. See the records below." }
  return { tone: "wait", word: "None", tip: "Optional. Until then links carry the name of this service." }
}
