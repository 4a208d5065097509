"use client"

import { useRouter } from "next/navigation"
import { useEffect, useSyncExternalStore } from "react"
import { settle } from "@/components/ui/leaving"

/** While there is no connection: nothing is lost, and what was clicked opens once it is back. */
export function OfflineNote({ wanted }: { wanted?: string }) {
  const router = useRouter()
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  useEffect(() => {
    if (!online || !wanted) return
    settle()
    router.push(wanted)
  }, [online, wanted, router])
  if (online) return null
  return (
    <div
      role="alert"
      className="sticky top-14 z-20 mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-warn-soft
        px-4 py-2.5 text-warn lg:top-3"
    >
      <span>
        <b>You are offline.</b>{" "}
        {wanted ? "The page opens when you are back online." : "This page keeps everything you typed."}
      </span>
      {wanted ? (
        <button type="button" onClick={settle} className="underline underline-offset-2">
          Stay here
        </button>
      ) : null}
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener)
  window.addEventListener("offline", listener)
  return () => {
    window.removeEventListener("online", listener)
    window.removeEventListener("offline", listener)
  }
}
