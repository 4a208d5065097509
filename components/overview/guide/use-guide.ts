import { useState } from "react"
import { useInBrowser } from "@/components/ui/use-in-browser"

const keyOf = (projectId: string) => `mailroom.guide.${projectId}`
const closed = "closed"

/**
 * How far somebody came with the guide of a project in this browser: closed for good, or the email it ended with, so
 * that its end can be read again.
 */
export function useGuide(projectId: string) {
  const known = useInBrowser()
  const [now, setNow] = useState<string>()
  const kept = now ?? (known ? localStorage.getItem(keyOf(projectId)) : null)
  function keep(value: string) {
    localStorage.setItem(keyOf(projectId), value)
    setNow(value)
  }
  return {
    closed: kept === closed,
    sent: kept && kept !== closed ? kept : undefined,
    close: () => keep(closed),
    onSent: (emailId: string) => keep(emailId),
  }
}
