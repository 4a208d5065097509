"use client"

import { useEffect, useRef } from "react"

export type FormFault = { message: string; /** Id of the control that it is about. */ fieldId?: string }

type FormErrorSummaryProps = { title?: string; faults: FormFault[]; requestId?: string }

/** What could not be put on a field, or all of it for a long form. Takes the focus when it appears. */
export function FormErrorSummary({ title = "This could not be saved.", faults, requestId }: FormErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const shown = faults.length > 0
  useEffect(() => {
    if (shown) box.current?.focus()
  }, [shown])
  if (!shown) return null

  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="mb-4 rounded-md border border-l-3 border-line border-l-bad bg-bad-soft px-3 py-2.5"
    >
      <p className="font-semibold">{title}</p>
      <ul className="mt-0.5">
        {faults.map((fault) => (
          <li key={`${fault.fieldId ?? ""} ${fault.message}`} className="[overflow-wrap:anywhere]">
            {fault.fieldId ? (
              <a href={`#${fault.fieldId}`} className="underline underline-offset-2">
                {fault.message}
              </a>
            ) : (
              fault.message
            )}
          </li>
        ))}
      </ul>
      {requestId ? (
        <p className="mt-1 text-xs text-muted">
          Request <code>{requestId}</code>
        </p>
      ) : null}
    </div>
  )
}
