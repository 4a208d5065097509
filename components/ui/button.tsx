"use client"

import Link from "next/link"
import type { ComponentProps, MouseEvent, ReactNode } from "react"
import { buttonStyle, type ButtonStyle } from "@/components/ui/button-style"
import { cn } from "@/components/ui/cn"
import { Spinner } from "@/components/ui/spinner"

type ButtonProps = ComponentProps<"button"> & ButtonStyle & { loading?: boolean; icon?: ReactNode }

/** While loading it stays focusable, says that it is busy and does nothing when pressed. */
export function Button({ variant, size, loading, icon, className, children, onClick, type, ...rest }: ButtonProps) {
  return (
    <button
      type={type ?? "button"}
      data-variant={variant}
      className={cn(buttonStyle({ variant, size }), className)}
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? swallow : onClick}
      {...rest}
    >
      {loading ? <Spinner /> : icon}
      {children}
    </button>
  )
}

type ButtonLinkProps = ComponentProps<typeof Link> & ButtonStyle & { icon?: ReactNode }

export function ButtonLink({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link data-variant={variant} className={cn(buttonStyle({ variant, size }), className)} {...rest}>
      {icon}
      {children}
    </Link>
  )
}

function swallow(event: MouseEvent) {
  event.preventDefault()
}
