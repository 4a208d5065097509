import type { ReactNode } from "react"
import { signedIn } from "./signed-in"

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  await signedIn()
  return children
}
