"use client"

import { Monitor, Moon, Sun } from "lucide-react"
import { useTheme } from "next-themes"
import { Segmented } from "@/components/ui/segmented"
import { useInBrowser } from "@/components/ui/use-in-browser"

type Theme = "light" | "dark" | "system"

export function ThemeToggle({ className }: { className?: string }) {
  const { theme, setTheme } = useTheme()
  // The server does not know the choice; until the browser has spoken none is marked.
  const known = useInBrowser()
  return (
    <Segmented<Theme>
      label="Theme"
      value={known && isTheme(theme) ? theme : undefined}
      onChange={setTheme}
      className={className}
      options={[
        { value: "light", name: "Light", label: <Sun aria-hidden="true" /> },
        { value: "dark", name: "Dark", label: <Moon aria-hidden="true" /> },
        { value: "system", name: "System", label: <Monitor aria-hidden="true" /> },
      ]}
    />
  )
}

function isTheme(value: string | undefined): value is Theme {
  return value === "light" || value === "dark" || value === "system"
}
