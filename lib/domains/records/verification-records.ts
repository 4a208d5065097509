import type { RecordKey } from "@/lib/domains/records/records"
import type { WatchedRecord } from "@/lib/domains/records/watched"
import type { Domain } from "@/lib/domains/schema"

type Records = Domain["verificationRecords"]

/** The watched records in the form in which the API shows them. */
export function verificationRecords(records: WatchedRecord[]): Records {
  const dmarc = records.find(({ key }) => key === "dmarc")
  const tracking = records.find(({ key }) => key === "tracking")
  const bimi = records.find(({ key }) => key === "bimi")
  return {
    // The active key comes first in the list.
    dkim: records.filter(({ key }) => key === "dkim-a" || key === "dkim-b").map(withRetired),
    mailFromMx: shown(must(records, "mail-from-mx")),
    mailFromSpf: shown(must(records, "mail-from-spf")),
    ...(dmarc && dmarc.value !== "" ? { dmarcRecommended: shown(dmarc) } : {}),
    ...(dmarc && dmarc.value === "" ? { dmarcUnreadable: withoutValue(shown(dmarc)) } : {}),
    ...(bimi ? { bimi: shown(bimi) } : {}),
    ...(tracking ? { trackingCname: shown(tracking) } : {}),
  }
}

function withoutValue({ value: _value, ...record }: Records["mailFromMx"]): NonNullable<Records["dmarcUnreadable"]> {
  return record
}

function withRetired(record: WatchedRecord): Records["dkim"][number] {
  return {
    ...shown(record),
    ...(record.retired ? { retired: { ...record.retired, keepUntil: new Date(record.retired.keepUntil) } } : {}),
  }
}

function shown({
  name,
  type,
  value,
  priority,
  optional,
  status,
  found,
  likelyCause,
  oldValue,
}: WatchedRecord): Records["mailFromMx"] {
  return {
    name,
    type,
    value,
    ...(priority === undefined ? {} : { priority }),
    ...(optional === undefined ? {} : { optional }),
    status,
    ...(oldValue === undefined ? {} : { oldValue }),
    ...(found.length > 0 ? { found } : {}),
    ...(likelyCause ? { likelyCause } : {}),
  }
}

function must(records: WatchedRecord[], key: RecordKey): WatchedRecord {
  const record = records.find((each) => each.key === key)
  if (!record) throw new Error(`A registration without its ${key} record.`)
  return record
}
