"use client"

import { type ComponentProps, useEffect, useRef, type Dispatch, type SetStateAction, useState } from "react"
import { cn } from "@/components/ui/cn"
import { useFieldControl } from "@/components/ui/field"
import { Search } from "lucide-react"

export const controlStyle =
  "w-full min-w-0 rounded-md border border-line-field bg-panel px-2.5 text-base text-text transition-colors " +
  "hover:border-muted focus-visible:border-accent focus-visible:outline-offset-0 " +
  "disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken " +
  "aria-invalid:border-bad aria-invalid:focus-visible:outline-bad"

type InputProps = ComponentProps<"input"> & { mono?: boolean }

export function Input({ className, mono, ...rest }: InputProps) {
  const wired = useFieldControl(rest)
  return <input className={cn(controlStyle, "h-8", mono && "mono", className)} {...rest} {...wired} />
}

type TextareaProps = ComponentProps<"textarea"> & { mono?: boolean }

export function Textarea({ className, mono, rows = 4, ...rest }: TextareaProps) {
  const wired = useFieldControl(rest)
  return (
    <textarea
      rows={rows}
      className={cn(controlStyle, "min-h-16 resize-y py-1.5", mono && "mono", className)}
      {...rest}
      {...wired}
    />
  )
}

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

/** The value once it has not changed for a moment, so that typing makes one request. */
export function useSettled<T>(value: T, pauseMs = 400): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
