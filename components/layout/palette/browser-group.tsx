"use client"

import { Keyboard, LogOut, Monitor, Moon, Sun } from "lucide-react"
import type { ReactNode } from "react"
import { signOut } from "@/components/access/sign-in"
import { openOverlay } from "@/components/layout/overlay"
import { names } from "@/components/layout/palette/commands"
import { Group, Item, Keys } from "@/components/layout/palette/parts"
import { chooseTheme, type Theme } from "@/components/layout/theme"
import { toast } from "@/components/ui/toast"

/** What concerns this browser alone: its theme, the keyboard, and who is signed in. */
export function BrowserGroup({ text, run }: { text: string; run: (act: () => void) => void }) {
  return (
    <Group title="This browser">
      {themes
        .filter(({ label }) => names(text, label, "appearance colour mode"))
        .map(({ value, label, icon }) => (
          <Item key={value} value={`theme ${value}`} icon={icon} onSelect={() => run(() => chooseTheme(value))}>
            {label}
          </Item>
        ))}
      {names(text, "Keyboard shortcuts help keys") ? (
        <Item value="shortcuts" icon={<Keyboard />} aside={<Keys keys={["?"]} />} onSelect={() => openOverlay("help")}>
          Keyboard shortcuts
        </Item>
      ) : null}
      {names(text, "Sign out log leave") ? (
        <Item value="sign out" icon={<LogOut />} onSelect={() => run(() => void leave())}>
          Sign out
        </Item>
      ) : null}
    </Group>
  )
}

const themes: { value: Theme; label: string; icon: ReactNode }[] = [
  { value: "light", label: "Light theme", icon: <Sun /> },
  { value: "dark", label: "Dark theme", icon: <Moon /> },
  { value: "system", label: "Theme of the system", icon: <Monitor /> },
]

async function leave() {
  try {
    await signOut()
  } catch {
    toast.error("You could not be signed out", { description: "Check the connection and try again." })
  }
}
