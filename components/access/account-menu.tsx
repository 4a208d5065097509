"use client"

import { BookOpen, LogOut, UserRound } from "lucide-react"
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "@/components/ui/menu"
import { toast } from "@/components/ui/toast"
import { signOut } from "@/components/access/sign-in"

type AccountMenuProps = { email: string; name?: string; projectId: string }

/** The person who is signed in: their account, and the way out. */
export function AccountMenu({ email, name, projectId }: AccountMenuProps) {
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
          aria-label={`Account of ${name ?? email}`}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1 text-left text-muted hover:bg-wait-soft hover:text-text"
        >
          <UserRound aria-hidden="true" className="size-4 shrink-0" />
          <span className="truncate">{name ?? email}</span>
        </button>
      }
    >
      <MenuLabel>{email}</MenuLabel>
      <MenuLink href={`/projects/${projectId}/settings/account`} icon={<UserRound />}>
        Your account
      </MenuLink>
      <MenuLink href="/docs" icon={<BookOpen />}>
        Docs
      </MenuLink>
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
