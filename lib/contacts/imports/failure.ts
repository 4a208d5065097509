import { formatNumber } from "@/lib/platform/format"

/** Why an import failed, as it is stored: a code with its facts. */
type FailureFacts = {
  file_missing: Record<string, never>
  /** Its worker failed so often after this row without another batch. */
  no_progress: { row: number; attempts: number }
  /** A quoted cell that begins near this line never ends. */
  quote_not_closed: { line: number }
  row_too_long: { line: number; charsMax: number }
  /** The sentence that a release before the codes stored. */
  recorded: { text: string }
}
type FailureCode = keyof FailureFacts
export type ImportFailure = { [C in FailureCode]: { code: C; facts: FailureFacts[C] } }[FailureCode]

export function failureSentence(failure: ImportFailure): string {
  switch (failure.code) {
    case "file_missing":
      return "The file is missing."
    case "no_progress": {
      const { row, attempts } = failure.facts
      return `The import stopped after row ${formatNumber(row)} and made no progress in ${attempts} attempts. The log of the worker has the cause.`
    }
    case "quote_not_closed":
      return `Near line ${failure.facts.line} the file is no CSV: a quoted cell never ends.`
    case "row_too_long": {
      const { line, charsMax } = failure.facts
      return `Near line ${line} the file is no CSV: a row is longer than ${charsMax} characters.`
    }
    case "recorded":
      return failure.facts.text
  }
}
