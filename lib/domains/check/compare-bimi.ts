import type { Dns } from "@/lib/platform/dns/types"
import { invalid, valid, type Finding } from "@/lib/domains/check/findings"
import { failedLookup, missingAt, type Place } from "@/lib/domains/check/misplaced"
import { parseTags } from "@/lib/domains/records/tags"

/** Is this logo published, with this certificate, exactly once? Compared by the parsed tags. */
export async function compareBimi(dns: Dns, place: Place, value: string): Promise<Finding> {
  const answer = await dns.txt(place.name)
  if (answer.kind === "error") return failedLookup(answer.reason, place.name)
  const records = answer.kind === "found" ? answer.values.filter(isBimi) : []
  if (records.length > 0) return judge(records, place.name, value)
  if (answer.kind === "found")
    return invalid(
      answer.values,
      "other-value",
      `The TXT record at ${place.name} is not a BIMI record.`,
      "Replace it with the value shown.",
    )
  return missingAt(dns, place, async (name) => {
    const other = await dns.txt(name)
    return other.kind === "found" ? other.values.filter(isBimi) : []
  })
}

function judge(records: string[], name: string, value: string): Finding {
  const [record = ""] = records
  if (records.length > 1)
    return invalid(
      records,
      "several-records",
      `${records.length} BIMI records found at ${name}, so receivers ignore them all.`,
      "Delete all but one.",
    )
  const [found, expected] = [parseTags(record), parseTags(value)]
  const same = (tag: string) => (found?.get(tag) ?? "") === (expected?.get(tag) ?? "")
  if (found && same("l") && same("a")) return valid(records)
  const what = !found ? "cannot be read" : same("l") ? "names another certificate" : "names another logo"
  return invalid(records, "other-value", `The BIMI record at ${name} ${what}.`, "Replace it with the value shown.")
}

function isBimi(text: string): boolean {
  return /^\s*v\s*=\s*BIMI1\s*(;|$)/i.test(text)
}
