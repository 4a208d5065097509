import type { ComposeCheck } from "@/components/compose/check"

/** What is worth a thought before it is sent. */
export function OpenChecks({ checks }: { checks: readonly Pick<ComposeCheck, "id" | "title" | "detail">[] }) {
  if (checks.length === 0) return null
  return (
    <ul aria-label="Open checks" className="mt-3 grid gap-2">
      {checks.map(({ id, title, detail }) => (
        <li key={id} className="flex gap-2.5">
          <span aria-hidden="true" className="mt-1.5 size-2 shrink-0 rounded-full bg-warn" />
          <span className="min-w-0">
            <b className="block font-medium text-text">{title}</b>
            {detail}
          </span>
        </li>
      ))}
    </ul>
  )
}
