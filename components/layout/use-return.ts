import { usePathname } from "next/navigation"
import { useEffect } from "react"
import { noteReturn, wayToFocus } from "@/components/ui/way-back"

/** On Back, the focus is on what was opened, as the browser restores the scroll position. */
export function useReturn() {
  const path = usePathname()
  useEffect(() => {
    window.addEventListener("popstate", noteReturn)
    return () => window.removeEventListener("popstate", noteReturn)
  }, [])
  useEffect(() => {
    // Next shows a page that it has kept before others hear of the way back.
    const timer = setTimeout(() => {
      const href = wayToFocus()
      if (href) void import("@/components/ui/restore").then(({ restoreFocus }) => restoreFocus(href))
    })
    return () => clearTimeout(timer)
  }, [path])
}
