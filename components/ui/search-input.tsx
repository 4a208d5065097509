"use client"

import { Search } from "lucide-react"
import { useEffect, useRef, type ComponentProps, type Dispatch, type SetStateAction } from "react"
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

/** The `ref` of a field whose text is state: what was typed before the page ran, and nobody has heard of, becomes that text. */
export function useTypedEarly(setText: Dispatch<SetStateAction<string>>) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => setText((known) => input.current?.value ?? known), [setText])
  return input
}
