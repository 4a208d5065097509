import { InlineText } from "@/components/docs/inline-text"
import type { Field } from "@/lib/docs/reference-fields"

type FieldListProps = {
  title?: string
  /** The operation, for screen readers. */
  of: string
  fields: Field[]
}

/** Fields with their type, what they are for and what they may be. */
export function FieldList({ title, of, fields }: FieldListProps) {
  return (
    <>
      {title ? <h3 className="mt-5 font-semibold">{title}</h3> : null}
      {fields.length > 0 ? (
        <ul
          aria-label={`${title ?? "Fields"}, ${of}`}
          className="mt-2 divide-y divide-line rounded-lg border border-line bg-panel"
        >
          {fields.map(({ name, type, required, description, limits, place }) => (
            <li key={`${place ?? ""} ${name}`} className="px-3 py-2">
              <p className="flex flex-wrap items-baseline gap-x-3 [overflow-wrap:anywhere]">
                <code className="mono font-medium">{name}</code>
                <span className="text-sm text-muted">{[place, type, ...limits].filter(Boolean).join(", ")}</span>
                {required ? <span className="text-sm text-warn">required</span> : null}
              </p>
              {description.length > 0 ? (
                <p className="mt-0.5 text-muted">
                  <InlineText content={description} />
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
