import { Diff, DiffHalf, DiffRow, Mark } from "@/components/ui/diff"
import { dmarcSyntax } from "@/lib/domains/rules"
import { proseOf, sharedCause } from "@/components/domains/sentence"
import { type ShownRecord, recordGroups, relativeHost, zoneOf } from "@/components/domains/records"
import { isAsExpected, isDifferent, shownTitle } from "@/components/domains/statuses"
import type { Domain } from "@/components/domains/queries"
import { CopyText } from "@/components/ui/copy-button"
import { DataTable, type Column } from "@/components/ui/table"

const unrecognised = "Another value was published. Replace it with the one shown above."

/** Values shown of those found at a name that holds many. */
const foundShown = 3

/** What was expected beside what was found, the likely cause, and the fix. */
export function RecordDiff({
  record,
  said,
}: {
  record: ShownRecord
  /** The cause is, of all records together. */ said?: boolean
}) {
  const { likelyCause } = record
  return (
    <Diff>
      {likelyCause?.foundAt ? (
        <Misplaced name={record.name} foundAt={likelyCause.foundAt} />
      ) : isAsExpected(record) ? null : record.key === "dmarc" ? (
        <OldAndNew record={record} />
      ) : (
        <Values record={record} />
      )}
      {said ? null : (
        <DiffRow label={isAsExpected(record) ? "Missing" : "Likely"} likely>
          {proseOf(likelyCause ? `${likelyCause.message} ${likelyCause.fix}` : unrecognised).map(
            ({ text, code }, index) => (code ? <code key={index}>{text}</code> : text),
          )}
        </DiffRow>
      )}
    </Diff>
  )
}

function Misplaced({ name, foundAt }: { name: string; foundAt: string }) {
  return (
    <>
      <DiffRow label="Expected">{name}</DiffRow>
      <DiffRow label="Found at">
        <Marked parts={nameDifference(name, foundAt)} />
      </DiffRow>
    </>
  )
}

/** A policy is changed with care: the whole of what is published beside the whole of what takes its place. */
function OldAndNew({ record: { found = [], value } }: { record: ShownRecord }) {
  if (found.length === 0) return null
  return (
    <>
      <DiffHalf label="Published now">
        {found.slice(0, foundShown).map((text, index) => (
          <span key={index} className="block">
            {text}
          </span>
        ))}
      </DiffHalf>
      <DiffHalf label={value === "" ? "Should be" : "Replace with"}>{value || dmarcSyntax}</DiffHalf>
    </>
  )
}

function Values({ record }: { record: ShownRecord }) {
  const found = record.found ?? []
  const [first] = found
  if (first === undefined) return null
  const wanted = record.priority === undefined ? record.value : `${record.priority} ${record.value}`
  const { expected } = difference(wanted, first)
  return (
    <>
      <DiffRow label="Expected">
        {expected.before}
        <b>{expected.marked}</b>
        {expected.after}
      </DiffRow>
      {found.slice(0, foundShown).map((text, index) => (
        <DiffRow key={index} label={index === 0 ? "Found" : ""}>
          <Marked parts={difference(wanted, text).found} />
        </DiffRow>
      ))}
      {found.length > foundShown ? <DiffRow label="">and {found.length - foundShown} more</DiffRow> : null}
    </>
  )
}

function Marked({ parts }: { parts: Parts }) {
  return (
    <>
      {parts.before}
      {parts.marked ? <Mark>{parts.marked}</Mark> : null}
      {parts.after}
    </>
  )
}

/** Where the records were found whose hosts share a mistake, and what to enter for each instead. */
export function EvidenceTable({ domain }: { domain: Domain }) {
  const code = sharedCause(domain)?.code
  const records = recordGroups(domain)
    .flatMap((group) => group.records)
    .filter((record) => isDifferent(record) && record.likelyCause?.code === code)
  return (
    <div className="border-t border-line bg-sunken">
      <DataTable
        label="Where the records were found"
        columns={columnsOf(zoneOf(domain))}
        rows={records}
        keyOf={({ key }) => key}
      />
    </div>
  )
}

function columnsOf(zone: string): Column<ShownRecord>[] {
  return [
    { head: "Record", width: "w-40 lg:w-54", cell: shownTitle },
    { head: "Found at", cell: (record) => <FoundAt record={record} /> },
    {
      head: "Enter as host",
      from: "md",
      width: "lg:w-72",
      cellClassName: "group/copy relative",
      cell: (record) => (
        <CopyText
          wholeCell
          inline
          value={relativeHost(record.name, zone)}
          name={`host to enter for ${shownTitle(record)}`}
        />
      ),
    },
  ]
}

function FoundAt({ record }: { record: ShownRecord }) {
  const { before, marked, after } = nameDifference(record.name, record.likelyCause?.foundAt ?? "")
  return (
    <code className="[overflow-wrap:anywhere]">
      {before}
      {marked ? <Mark>{marked}</Mark> : null}
      {after}
    </code>
  )
}

/** A text in three parts, of which the middle is what differs. */
export type Parts = { before: string; marked: string; after: string }

/** Characters shown on each side of a difference in a long value. */
const around = 28

/** Fewer characters than this in common are an accident: the last letter of two host names. */
const least = 3

/** What was found beside what was expected. Only the middle differs; the ends of long values are left out. */
export function difference(expected: string, found: string): { expected: Parts; found: Parts } {
  if (expected === found) return { expected: whole(expected), found: whole(found) }
  const start = significant(commonStart(expected, found))
  const end = significant(commonStart(reversed(expected.slice(start)), reversed(found.slice(start))))
  return { expected: shortened(cut(expected, start, end)), found: shortened(cut(found, start, end)) }
}

/** The part of a name that is too much: `send.acme.com.acme.com` for `send.acme.com` has `acme.com.` marked. */
export function nameDifference(expected: string, found: string): Parts {
  const end = commonStart(reversed(expected), reversed(found))
  const start = commonStart(expected.slice(0, expected.length - end), found.slice(0, found.length - end))
  const parts = cut(found, start, end)
  if (!parts.marked.startsWith(".") || !parts.after.startsWith(".")) return parts
  return { before: `${parts.before}.`, marked: `${parts.marked.slice(1)}.`, after: parts.after.slice(1) }
}

function whole(text: string): Parts {
  return shortened({ before: text, marked: "", after: "" })
}

function significant(common: number): number {
  return common < least ? 0 : common
}

function cut(text: string, start: number, end: number): Parts {
  return {
    before: text.slice(0, start),
    marked: text.slice(start, text.length - end),
    after: text.slice(text.length - end),
  }
}

function shortened({ before, marked, after }: Parts): Parts {
  return {
    before: before.length > 2 * around ? `${gap}${before.slice(-around)}` : before,
    marked: marked.length > 3 * around ? `${marked.slice(0, 2 * around)}${gap}${marked.slice(-around)}` : marked,
    after: after.length > 2 * around ? `${after.slice(0, around)}${gap}` : after,
  }
}

/** The word joiner keeps browsers from breaking the line beside the dots. */
const gap = "\u2060…\u2060"

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  for (let at = 0; at < most; at++) if (a[at] !== b[at]) return at
  return most
}

function reversed(text: string): string {
  return [...text].reverse().join("")
}
