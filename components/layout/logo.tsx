import { cn } from "@/components/ui/cn"

/** An envelope whose fold is also the M of Mailroom. */
export function Logo({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" fill="none" className={cn("size-6", className)}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M8 22V11l8 7 8-7v11"
        className="stroke-on-accent"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
