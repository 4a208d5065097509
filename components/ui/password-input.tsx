"use client"

import { type ComponentProps, useState } from "react"
import { cn } from "@/components/ui/cn"
import { Input } from "@/components/ui/input"

/** A password, which its writer can show to check it. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<typeof Input>, "type">) {
  const [shown, setShown] = useState(false)
  return (
    <span className="relative block">
      <Input type={shown ? "text" : "password"} spellCheck={false} className={cn("pr-14", className)} {...rest} />
      <button
        type="button"
        aria-pressed={shown}
        aria-label="Show characters"
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 rounded-md px-2.5 text-sm text-muted hover:text-text"
      >
        {shown ? "Hide" : "Show"}
      </button>
    </span>
  )
}
