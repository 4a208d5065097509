"use client"

import { createContext, type ReactNode, useContext } from "react"
import { type Permission, permissionsOf } from "@/lib/access/permissions"

const Role = createContext<string | undefined>(undefined)

/** Provides the role and permissions of the signed-in user to the pages of a project. */
export function RoleProvider({ role, children }: { role: string; children: ReactNode }) {
  return <Role value={role}>{children}</Role>
}

/** The role of the signed-in person in the organization of this project. */
export function useRole(): string | undefined {
  return useContext(Role)
}

/** Whether a call that needs a permission would be let through. The server decides; this only spares the refusal. */
export function usePowers(): (permission: Permission) => boolean {
  const role = useRole()
  // Outside a project the role is unknown: the button is shown, and the server decides.
  return (permission) => role === undefined || permissionsOf(role).includes(permission)
}

export function useMay(permission: Permission): boolean {
  return usePowers()(permission)
}

/** Shows a button only to those whose call would not be refused. */
export function May({ permission, children }: { permission: Permission; children: ReactNode }) {
  return useMay(permission) ? children : null
}

/** True where a member of this role may make a further project in the organization. */
export function mayFound({ role, secondFactorNeeded }: { role: string; secondFactorNeeded: boolean }): boolean {
  return (role === "owner" || role === "admin") && !secondFactorNeeded
}
