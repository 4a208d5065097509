import { cn } from "@/components/ui/cn"

/** The first letter on the accent colour. Decorative: the name is beside it. */
export function AvatarSquare({
  name,
  size = "medium",
  className,
}: {
  name: string
  size?: "medium" | "large"
  className?: string
}) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "grid shrink-0 place-items-center rounded-md bg-accent font-semibold text-on-accent",
        size === "large" ? "size-8 text-base" : "size-6 text-xs",
        className,
      )}
    >
      {[...name.trim()][0]?.toUpperCase() ?? "?"}
    </span>
  )
}
