import { formatNumber } from "@/lib/platform/format"
import type { ImportReport } from "@/components/suppressions/use-import"

/** What an import did, or would do, and each bad row. */
export function ImportReportView({ report }: { report: ImportReport }) {
  const { dryRun, imported, skipped, invalid, errors } = report
  const known = skipped - invalid
  return (
    <div className="mt-3">
      <p className="font-medium">
        {dryRun ? `${count(imported)} would be added.` : `${count(imported)} ${imported === 1 ? "was" : "were"} added.`}
      </p>
      <p className="text-muted">
        {formatNumber(known)} on the list already or repeated, {formatNumber(invalid)} invalid.
      </p>
      {errors.length ? (
        <div
          role="region"
          aria-label="Invalid rows"
          tabIndex={0}
          className="mt-2 max-h-48 overflow-y-auto rounded-md border border-line"
        >
          <ul className="text-sm">
            {errors.map(({ row, email, detail }) => (
              <li key={row} className="border-b border-line px-3 py-1.5 last:border-b-0">
                <span className="text-muted tabular-nums">Row {formatNumber(row)}</span>{" "}
                <code className="[overflow-wrap:anywhere]">{email || "(empty)"}</code>{" "}
                <span className="text-muted">{detail}</span>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {errors.length < invalid ? <p className="mt-1 text-sm text-muted">The first {errors.length} of them.</p> : null}
    </div>
  )
}

function count(addresses: number): string {
  return `${formatNumber(addresses)} ${addresses === 1 ? "address" : "addresses"}`
}
