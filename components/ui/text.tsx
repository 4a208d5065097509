import Link from "next/link"
import { type ComponentProps, Fragment, type ReactNode } from "react"
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

/** Text with `code` in back ticks. */
export function CodeText({ text, className }: { text: string; className?: string }) {
  return text.split("`").map((part, at) =>
    at % 2 ? (
      <code key={at} className={className}>
        {part}
      </code>
    ) : (
      part
    ),
  )
}

/** Longer ones may not fit into one line of a phone. */
const shortDomain = 24

/** An address that breaks after its "@" first; a short domain stays whole, even at a hyphen. */
export function AddressText({ address }: { address: string }) {
  const at = address.indexOf("@") + 1
  if (at === 0) return address
  const domain = address.slice(at)
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {domain.length > shortDomain ? domain : <span className="whitespace-nowrap">{domain}</span>}
    </>
  )
}

/** A text that breaks after a mark, such as the slash of a route, rather than within a word. */
export function BreakAfter({ mark, text }: { mark: string; text: string }) {
  return text.split(mark).map((part, index) => (
    <Fragment key={index}>
      {index > 0 ? (
        <>
          {mark}
          <wbr />
        </>
      ) : null}
      {part}
    </Fragment>
  ))
}

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-line bg-sunken px-1 font-sans text-xs text-muted">
      {children}
    </kbd>
  )
}

/** A value that there is none of: one dash everywhere, and the word for it where it is read out. */
export function Absent({ word = "None" }: { word?: string }) {
  return (
    <>
      <span aria-hidden="true" className="text-faint">
        –
      </span>
      <span className="sr-only">{word}</span>
    </>
  )
}
