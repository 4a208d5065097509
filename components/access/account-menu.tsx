"use client"

import { ChevronsUpDown } from "lucide-react"
import { openOverlay } from "@/components/layout/overlay"
import { chooseTheme, useTheme, type Theme } from "@/components/layout/theme"
import { Kbd } from "@/components/ui/kbd"
import { chooseTimes, useLocalTime, zoneName } from "@/components/ui/local-time"
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "@/components/ui/menu"
import { toast } from "@/components/ui/toast"
import { signOut } from "@/components/access/sign-in"

type AccountMenuProps = { email: string; name?: string; projectId: string }

const themes: [Theme, string][] = [
  ["light", "Light"],
  ["dark", "Dark"],
  ["system", "System"],
]

/** The person who is signed in: their account, how the dashboard looks to them, and the way out. */
export function AccountMenu({ email, name, projectId }: AccountMenuProps) {
  const theme = useTheme()
  const local = useLocalTime()
  const shown = name ?? email
  async function leave() {
    try {
      await signOut()
    } catch {
      toast.error("You could not be signed out", { description: "Check the connection and try again." })
    }
  }
  return (
    <Menu
      align="start"
      className="w-56"
      trigger={
        <button
          type="button"
          aria-label={`Account of ${shown}`}
          className="flex w-full min-w-0 items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-wait-soft"
        >
          <span
            aria-hidden="true"
            className="grid size-6 shrink-0 place-items-center rounded-full bg-wait-soft text-[0.625rem] font-semibold text-muted"
          >
            {initials(shown)}
          </span>
          <span className="min-w-0 flex-1 truncate">{shown}</span>
          <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
        </button>
      }
    >
      <MenuLabel>{email}</MenuLabel>
      <MenuLink href={`/projects/${projectId}/settings/account`}>Your account</MenuLink>
      <MenuItem aside={<Kbd>?</Kbd>} onSelect={() => openOverlay("help")}>
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      {themes.map(([value, label]) => (
        <MenuItem key={value} checked={theme === value} onSelect={() => chooseTheme(value)}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuLabel>Times</MenuLabel>
      <MenuItem checked={local} onSelect={() => chooseTimes("local")}>
        Local, {zoneName(true)}
      </MenuItem>
      <MenuItem checked={!local} onSelect={() => chooseTimes("utc")}>
        UTC
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => void leave()}>Sign out</MenuItem>
    </Menu>
  )
}

function initials(name: string): string {
  const words = name.split(/[\s.@]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .flatMap((word) => [...word][0]?.toUpperCase() ?? [])
    .join("")
}
