"use client"

import { ThemeProvider } from "next-themes"
import type { ReactNode } from "react"
import { QueryProvider } from "@/components/layout/query-provider"
import { ToastHost } from "@/components/layout/toast-host"

/** The nonce lets the script that sets the theme before first paint pass the Content-Security-Policy. */
export function Providers({ children, nonce }: { children: ReactNode; nonce?: string }) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={nonce}>
      <QueryProvider>{children}</QueryProvider>
      <ToastHost />
    </ThemeProvider>
  )
}
