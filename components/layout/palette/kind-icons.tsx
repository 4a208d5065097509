import type { ReactNode } from "react"
import { icons } from "@/components/layout/nav-icons"

/** What is found or was opened, by its kind, with the icon that its list has in the side bar. */
export const kindIcons: Record<string, ReactNode> = {
  Email: icons.mail,
  Contact: icons.users,
  Segment: icons.listFilter,
  Topic: icons.hash,
  Domain: icons.globe,
  Webhook: icons.webhook,
  "API key": icons.keyRound,
}
