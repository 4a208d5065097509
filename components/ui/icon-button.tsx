"use client"

import type { ComponentProps, ReactNode } from "react"
import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { Tooltip } from "@/components/ui/tooltip"

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
