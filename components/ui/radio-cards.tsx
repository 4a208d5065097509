import type { ComponentProps, ReactNode } from "react"
import { cn } from "@/components/ui/cn"

type RadioOption = { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean }

type RadioCardsProps = Omit<ComponentProps<"input">, "type" | "value" | "defaultValue" | "children"> & {
  legend: ReactNode
  options: RadioOption[]
  value?: string
  defaultValue?: string
  error?: ReactNode
  hint?: ReactNode
  /** Columns from 640 px on. */
  columns?: 1 | 2 | 3
}

/** A choice of one among a few that need a sentence each. Spread react-hook-form's register() into it. */
export function RadioCards({
  legend,
  options,
  value,
  defaultValue,
  error,
  hint,
  columns = 1,
  className,
  ...rest
}: RadioCardsProps) {
  return (
    <fieldset className={cn("mb-4 last:mb-0", className)} aria-invalid={error ? true : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className={cn("grid gap-2", columns === 2 && "sm:grid-cols-2", columns === 3 && "sm:grid-cols-3")}>
        {options.map((option) => (
          <label
            key={option.value}
            className="flex items-start gap-2.5 rounded-md border border-line-strong bg-panel px-3 py-2.5 transition-colors
              hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-disabled:cursor-not-allowed
              has-disabled:opacity-60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              value={option.value}
              disabled={option.disabled}
              checked={value === undefined ? undefined : value === option.value}
              defaultChecked={defaultValue === undefined ? undefined : defaultValue === option.value}
              className="mt-0.5 size-4 shrink-0 appearance-none rounded-full border border-line-field bg-panel outline-none
                checked:border-5 checked:border-accent"
              {...rest}
            />
            <span className="min-w-0">
              <span className="font-medium">{option.label}</span>
              {option.hint ? <span className="block text-muted">{option.hint}</span> : null}
            </span>
          </label>
        ))}
      </div>
      {error ? <p className="mt-1.5 text-sm text-bad">{error}</p> : null}
      {hint ? <p className="mt-1.5 text-sm text-muted">{hint}</p> : null}
    </fieldset>
  )
}
