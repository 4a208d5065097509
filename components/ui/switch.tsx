import type { ComponentProps, ReactNode } from "react"
import { cn } from "@/components/ui/cn"

type SwitchProps = Omit<ComponentProps<"input">, "type" | "role"> & { label: ReactNode; hint?: ReactNode }

export function Switch({ label, hint, className, ...rest }: SwitchProps) {
  return (
    <label
      className={cn(
        "flex items-start justify-between gap-4 has-disabled:cursor-not-allowed has-disabled:opacity-60",
        className,
      )}
    >
      <span>
        <span className="font-medium">{label}</span>
        {hint ? <span className="block text-muted">{hint}</span> : null}
      </span>
      <span className="relative mt-0.5 inline-grid shrink-0">
        <input
          type="checkbox"
          role="switch"
          className="peer h-5 w-9 appearance-none rounded-full border border-line-field bg-panel transition-colors
            checked:border-accent checked:bg-accent"
          {...rest}
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1 left-1 size-3 rounded-full bg-line-field transition-transform
            peer-checked:translate-x-4 peer-checked:bg-on-accent"
        />
      </span>
    </label>
  )
}
