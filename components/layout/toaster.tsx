"use client"

import { useEffect } from "react"
import { toast, Toaster as Sonner } from "sonner"
import { useDark } from "@/components/layout/theme"
import { openToasts } from "@/components/ui/toast"

export default function Toaster() {
  const dark = useDark()
  // Effects of children run first: by now Sonner listens.
  useEffect(() => openToasts(toast), [])
  return (
    <Sonner
      theme={dark ? "dark" : "light"}
      position="bottom-right"
      className="font-sans!"
      // Sonner's own styles are outside the cascade layers, hence `!important`.
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-start gap-2.5 rounded-lg border border-line-strong bg-panel p-3 text-base text-text shadow-float sm:w-(--width)",
          title: "font-medium",
          description: "text-muted!",
          icon: "mt-0.5 shrink-0 [[data-type=success]_&]:text-good [[data-type=error]_&]:text-bad",
          content: "min-w-0 flex-1",
          actionButton: "shrink-0 rounded-md border border-line-strong px-2 text-xs leading-6 font-medium",
        },
      }}
    />
  )
}
