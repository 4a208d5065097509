"use client"

import Link from "next/link"
import type { ComponentProps, MouseEvent, ReactNode } from "react"
import { buttonStyle, type ButtonStyle } from "@/components/ui/button-style"
import { cn } from "@/components/ui/cn"
import { Spinner } from "@/components/ui/loading"
import { useInBrowser } from "@/components/ui/page-start"
import { Tooltip } from "@/components/ui/tooltip"

type ButtonProps = ComponentProps<"button"> & ButtonStyle & { loading?: boolean; icon?: ReactNode }

/**
 * While loading it stays focusable, says that it is busy and does nothing when pressed. What sends a form cannot be pressed before
 * the page runs: the browser would send the form by itself, and what was typed would be lost.
 */
export function Button(props: ButtonProps) {
  return props.type === "submit" ? <SubmitButton {...props} /> : <PlainButton {...props} />
}

function SubmitButton({ disabled, className, ...rest }: ButtonProps) {
  const waits = !useInBrowser() && !disabled
  return (
    <PlainButton
      disabled={disabled || waits}
      className={cn(waits && "disabled:cursor-progress disabled:opacity-100", className)}
      {...rest}
    />
  )
}

function PlainButton({ variant, size, loading, icon, className, children, onClick, type, ...rest }: ButtonProps) {
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

type IconButtonProps = Omit<ComponentProps<typeof Button>, "children" | "icon"> & { label: string; icon: ReactNode }

/** A square button whose word is read aloud and shown on hover and focus. */
export function IconButton({ label, icon, size, variant = "ghost", className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} names>
      <Button
        aria-label={label}
        variant={variant}
        size={size}
        icon={icon}
        className={cn("px-0", size === "small" ? "w-6" : size === "large" ? "w-10" : "w-8", className)}
        {...rest}
      />
    </Tooltip>
  )
}

type OpenerProps = {
  children: ReactNode
  onOpen: () => void
  /** The pointer or the focus is on the button: what it opens can be loaded. */
  onNear?: () => void
}

/** Gives the one button inside it the job to open a dialog. */
export function Opener({ children, onOpen, onNear }: OpenerProps) {
  return (
    <span className="contents" onClick={onOpen} onPointerEnter={onNear} onFocus={onNear} ref={announce}>
      {children}
    </span>
  )
}

function announce(wrapper: HTMLElement | null) {
  wrapper?.querySelector("button, a")?.setAttribute("aria-haspopup", "dialog")
}
