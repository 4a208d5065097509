import type { ReactNode } from "react"
import { signedIn } from "@/app/(dashboard)/signed-in"

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  await signedIn()
  return children
}
