import { Diff, DiffHalf, DiffRow, Mark } from "@/components/ui/diff"
import { difference, nameDifference, type Parts } from "@/components/domains/difference"
import { dmarcSyntax } from "@/lib/domains/check/conflict-rules"
import { proseOf } from "@/components/domains/sentence"
import type { ShownRecord } from "@/components/domains/records"
import { isAsExpected } from "@/components/domains/statuses"

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
