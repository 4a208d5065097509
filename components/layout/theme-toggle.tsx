"use client"

import { Monitor, Moon, Sun } from "lucide-react"
import { chooseTheme, useTheme, type Theme } from "@/components/layout/theme"
import { Segmented } from "@/components/ui/segmented"
import { useInBrowser } from "@/components/ui/page-start"

export function ThemeToggle({ className }: { className?: string }) {
  const theme = useTheme()
  // The server does not know the choice; until the browser has spoken none is marked.
  const known = useInBrowser()
  return (
    <Segmented<Theme>
      label="Theme"
      value={known ? theme : undefined}
      onChange={chooseTheme}
      className={className}
      options={[
        { value: "light", name: "Light", label: <Sun aria-hidden="true" /> },
        { value: "dark", name: "Dark", label: <Moon aria-hidden="true" /> },
        { value: "system", name: "System", label: <Monitor aria-hidden="true" /> },
      ]}
    />
  )
}
