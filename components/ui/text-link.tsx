import Link from "next/link"
import type { ComponentProps } from "react"
import { cn } from "@/components/ui/cn"

/** A link inside a sentence: underlined, because colour alone does not tell. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={cn(
        "rounded-sm text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent",
        className,
      )}
      {...rest}
    />
  )
}
