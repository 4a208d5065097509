"use client"

import { useId, type ReactNode } from "react"
import { cn } from "@/components/ui/cn"

type SegmentedProps<Value extends string> = {
  /** Read aloud as the name of the choice. */
  label: string
  value: Value | undefined
  onChange: (value: Value) => void
  options: { value: Value; label: ReactNode; /** Needed where label is an icon. */ name?: string }[]
  className?: string
}

/** Two to four short choices in one control: a radio group that looks like joined buttons. */
export function Segmented<Value extends string>({ label, value, onChange, options, className }: SegmentedProps<Value>) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cn("inline-flex h-8 rounded-md border border-line-strong bg-panel p-0.5", className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          title={option.name}
          className="relative inline-flex flex-1 items-center justify-center gap-1.5 rounded-sm px-2.5 text-sm font-medium whitespace-nowrap text-muted
            transition-colors hover:text-text has-checked:bg-wait-soft has-checked:text-text has-focus-visible:outline-2
            has-focus-visible:outline-offset-1 has-focus-visible:outline-accent [&_svg]:size-4"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            aria-label={option.name}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
