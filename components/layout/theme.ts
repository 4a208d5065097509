import { useSyncExternalStore } from "react"
import { themeCookie } from "@/components/layout/theme-cookie"

export type Theme = "light" | "dark" | "system"

const maxAgeSeconds = 365 * 24 * 3_600

/** The chosen theme; on the server, which hands it to no component, "system". */
export function useTheme(): Theme {
  return useSyncExternalStore<Theme>(subscribe, chosen, () => "system")
}

/** Whether the page is dark now, by choice or by the system. */
export function useDark(): boolean {
  const theme = useTheme()
  const systemDark = useSyncExternalStore(
    subscribeToSystem,
    () => matchMedia(darkSystem).matches,
    () => false,
  )
  return theme === "system" ? systemDark : theme === "dark"
}

/** Shows it at once, here and in other tabs, and keeps it for the next visit. */
export function chooseTheme(theme: Theme) {
  const secure = location.protocol === "https:" ? "; Secure" : ""
  const [value, maxAge] = theme === "system" ? ["", 0] : [theme, maxAgeSeconds]
  document.cookie = `${themeCookie}=${value}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure}`
  show(theme)
  channel().postMessage(theme)
}

const darkSystem = "(prefers-color-scheme: dark)"
const listeners = new Set<() => void>()
let opened: BroadcastChannel | undefined

function channel(): BroadcastChannel {
  if (!opened) {
    opened = new BroadcastChannel(themeCookie)
    opened.onmessage = ({ data }: MessageEvent<Theme>) => show(data)
  }
  return opened
}

function show(theme: Theme) {
  const { classList } = document.documentElement
  classList.remove("light", "dark")
  if (theme !== "system") classList.add(theme)
  for (const listener of listeners) listener()
}

function chosen(): Theme {
  const { classList } = document.documentElement
  return classList.contains("dark") ? "dark" : classList.contains("light") ? "light" : "system"
}

function subscribe(listener: () => void): () => void {
  channel()
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function subscribeToSystem(listener: () => void): () => void {
  const system = matchMedia(darkSystem)
  system.addEventListener("change", listener)
  return () => system.removeEventListener("change", listener)
}
