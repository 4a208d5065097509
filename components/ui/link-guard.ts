import { hasUnsaved, leaveFor, settleLeaving } from "@/components/ui/leaving"

let guards = 0
let listening = new AbortController()

/** Decides over every way out of the page before anybody else sees it, until the returned function is called. */
export function guardLinks(): () => void {
  if (guards++ === 0) listen()
  return () => {
    if (--guards === 0) listening.abort()
  }
}

function listen() {
  listening = new AbortController()
  const { signal } = listening
  window.addEventListener("click", onClick, { capture: true, signal })
  window.addEventListener("beforeunload", (event) => hasUnsaved() && event.preventDefault(), { signal })
  window.addEventListener("popstate", settleLeaving, { signal })
  // Not every browser has it; there Back leaves without a question.
  window.navigation?.addEventListener("navigate", onNavigate, { signal })
}

function onClick(event: MouseEvent) {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null
  if (!link || link.target || link.download || link.hasAttribute("download")) return
  if (link.origin !== location.origin || !/^\/(projects|docs)(\/|$)/.test(link.pathname)) return
  if (leaveFor(link.href)) return
  event.preventDefault()
  event.stopPropagation()
}

function onNavigate(event: NavigateEvent) {
  if (event.navigationType !== "traverse" || !event.cancelable || !hasUnsaved()) return
  if (!leaveFor(event.destination.url)) event.preventDefault()
}
