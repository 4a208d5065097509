"use client"

import { Search } from "lucide-react"
import type { ComponentProps } from "react"
import { cn } from "@/components/ui/cn"
import { Input } from "@/components/ui/input"

type SearchInputProps = Omit<ComponentProps<typeof Input>, "type"> & { label: string }

export function SearchInput({ label, className, ...rest }: SearchInputProps) {
  return (
    <span className={cn("relative inline-grid w-full sm:w-64", className)}>
      <Search aria-hidden="true" className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
      <Input type="search" aria-label={label} placeholder={label} className="pl-8" {...rest} />
    </span>
  )
}
