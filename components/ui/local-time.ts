import { useSyncExternalStore } from "react"

export type TimeChoice = "local" | "utc"

/** The cookie that keeps the choice of a person in this browser; without it times are local. */
const timesCookie = "times"
const maxAgeSeconds = 365 * 24 * 3_600
const listeners = new Set<() => void>()

/** Whether times are written in the reader's own zone; else in UTC: by choice, on the server and during hydration. */
export function useLocalTime(): boolean {
  return useSyncExternalStore(subscribe, isLocal, () => false)
}

/** Shows all times so at once, and keeps that for the next visit. */
export function chooseTimes(choice: TimeChoice) {
  const secure = location.protocol === "https:" ? "; Secure" : ""
  const [value, maxAge] = choice === "local" ? ["", 0] : [choice, maxAgeSeconds]
  document.cookie = `${timesCookie}=${value}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure}`
  for (const listener of listeners) listener()
}

/** The name of the zone in which times are written. */
export function zoneName(local: boolean): string {
  return local ? Intl.DateTimeFormat().resolvedOptions().timeZone : "UTC"
}

/** That name, for days that the server counts. */
export function useTimeZone(): string {
  return zoneName(useLocalTime())
}

function isLocal(): boolean {
  return !document.cookie.split("; ").includes(`${timesCookie}=utc`)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
