import type { Readable } from "node:stream"
import { z } from "zod"
import { type DeclaredProperties, declaredProperties } from "@/lib/contact-properties/data"
import {
  type ColumnTarget,
  judgedRows,
  mappedTargets,
  type Mapping,
  mappingFaults,
  propertyTypeOf,
} from "@/lib/contacts/imports/column-rules"
import { CsvBroken, tableRows } from "@/lib/contacts/imports/rows"
import {
  createFormatScan,
  type DateOrder,
  dateOrders,
  type DecidedFormat,
  formatOtherwise,
} from "@/lib/contacts/imports/value-rules"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { id, trueOrFalse } from "@/lib/platform/schema"
import { existingSegments } from "@/lib/segments/data"

const Targets = z.union([z.array(z.string().nullable()), z.record(z.string(), z.string().nullable())])

const Mapped = z.codec(z.string().max(32_768), Targets, {
  decode: (text, context) => {
    const given = fromJson(text)
    const parsed = Targets.safeParse(given)
    if (parsed.success) return parsed.data
    const wrong = Object.entries(given ?? {}).filter(([, target]) => target !== null && typeof target !== "string")
    for (const [column] of wrong)
      context.issues.push({ code: "custom", input: text, path: [column], message: "Must be a target or null." })
    if (!wrong.length)
      context.issues.push({
        code: "custom",
        input: text,
        message: "Must be a JSON object of column names to targets, or a list of targets, one for each column.",
      })
    return z.NEVER
  },
  encode: (mapping) => JSON.stringify(mapping),
})

/** Query parameters of an upload and of a dry run that is run again. */
export const importParameters = {
  mapping: Mapped.optional()
    .describe(
      'JSON: column name to `email`, `firstName`, `lastName`, `phone`, `unsubscribed`, `properties.<key>` or null, as in `{"E-Mail": "email"}`; or a list with the target of each column by position, as in `["email", null]`, for columns with the same name.',
    )
    .meta({ type: "string" }),
  dates: z
    .enum(dateOrders)
    .optional()
    .describe(
      "How dates such as 03/04/2026 are read in a column none of whose values tells; `day_first` if omitted. A column with 31/03/2026 is read day first whatever this says.",
    ),
  segmentId: id("seg").optional().describe("Segment to which the contacts are added."),
}

export const dryRunParameter = trueOrFalse().default(false).meta({ default: false })

/** The targets that a mapping gives to the columns. @throws requestInvalid with every fault of it */
export function targetsOf(header: readonly string[], mapping: Mapping, declared: DeclaredProperties): ColumnTarget[] {
  const faults = mappingFaults(header, mapping, declared)
  if (faults.length)
    throw importRefused(
      faults.map(({ column, detail }) => ({
        pointer: column === null ? "query/mapping" : `query/mapping/${column}`,
        detail,
      })),
    )
  return mappedTargets(header, mapping)
}

/** @throws requestInvalid where no column goes to the address */
export function refuseWithoutAddresses(targets: readonly ColumnTarget[]): void {
  if (!targets.includes("email"))
    throw importRefused([{ pointer: "query/mapping", detail: "No column holds the email addresses." }])
}

/** @throws requestInvalid where the project has no such segment */
export async function refuseUnknownSegment(scope: Scope, segmentId: string | undefined): Promise<void> {
  if (segmentId && !(await existingSegments(scope.project.id, [segmentId])).size)
    throw importRefused([{ pointer: "query/segmentId", detail: "Names no segment of this project." }])
}

export function importRefused(errors: FieldProblem[]) {
  return requestInvalid(errors[0]?.detail, { errors: errors.slice(0, 100) })
}

/** Rows by which the format of a column is decided, if none of the first hundred tells. */
const formatRowsMax = 50_000

/** How numbers and dates are written in the columns that go to properties of these types. */
export async function formatsOf(
  scope: Scope,
  file: () => Readable,
  { targets, delimiter, dates }: { targets: readonly ColumnTarget[]; delimiter: string; dates: DateOrder | undefined },
): Promise<(DecidedFormat | null)[]> {
  const declared = await declaredProperties(scope.project.id)
  const types = targets.map((target) => propertyTypeOf(target, declared))
  const scan = createFormatScan(types)
  if (scan.decided()) return scan.formats(formatOtherwise(delimiter, dates))
  let read = 0
  try {
    for await (const { cells } of tableRows(file(), delimiter)) {
      read += 1
      if (read > 1) scan.add(cells)
      if (read > formatRowsMax || (read > judgedRows && scan.decided())) break
    }
  } catch (error) {
    // Where it breaks is found again, and told, by the import.
    if (!(error instanceof CsvBroken)) throw error
  }
  return scan.formats(formatOtherwise(delimiter, dates))
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
