import { parseAddress } from "@/lib/addresses/address"
import { createTurns } from "@/lib/platform/turns"
import { cutText } from "@/lib/platform/text"
import { outweighs, type SuppressionReason } from "@/lib/consent/rules"
import { noRow } from "@/lib/suppressions/schema"

type Row = { email: string; reason: SuppressionReason }

export type ImportPlan = {
  /** Each address once, in canonical form, with the reason that says most. */
  rows: Row[]
  invalid: number
  /** The first 1,000 invalid rows; `row` counts from 0. */
  errors: { row: number; email: string; detail: string }[]
}

const errorsMax = 1_000
const emailShownChars = 254

/** Sorts the rows of an import into what can be added and what is wrong with the others. */
export async function planImport(given: readonly Row[]): Promise<ImportPlan> {
  const turn = createTurns()
  const rows = new Map<string, Row>()
  const errors: ImportPlan["errors"] = []
  let invalid = 0
  for (const [row, one] of given.entries()) {
    await turn()
    const parsed = parseAddress(one.email.trim())
    if (!parsed.ok || parsed.name !== undefined) {
      invalid++
      const detail = detailOf(one, parsed)
      if (errors.length < errorsMax) errors.push({ row, email: cutText(one.email, emailShownChars), detail })
      continue
    }
    const known = rows.get(parsed.canonical)
    if (!known || outweighs(one.reason, known.reason))
      rows.set(parsed.canonical, { email: parsed.canonical, reason: one.reason })
  }
  return { rows: [...rows.values()], invalid, errors }
}

function detailOf(row: Row, parsed: ReturnType<typeof parseAddress>): string {
  if (row === noRow)
    return "A row is an object with `email` and at most a `reason`: bounce, complaint, manual or unsubscribe."
  return parsed.ok ? "Must be an address alone, without a name." : parsed.reason
}
