"use client"

import { usePathname, useRouter, useSearchParams } from "next/navigation"
import {
  renderQueryString,
  unstable_createAdapterProvider as createProvider,
  type unstable_UpdateUrlFunction as UpdateUrl,
} from "nuqs/adapters/custom"
import { startTransition, useCallback } from "react"

/**
 * Joins nuqs to Next's router, around the lists whose filters are in the address. nuqs' own adapter brings its queues
 * along and is 3 kB more; our filters only need a change to reach the address and Next's view of it.
 */
export const AddressAdapter = createProvider(() => {
  const router = useRouter()
  const pathname = usePathname()
  const searchParams = useSearchParams()
  const updateUrl: UpdateUrl = useCallback(
    (search, { history, scroll, shallow }) => {
      startTransition(() => {
        const address = `${window.location.pathname}${renderQueryString(search)}${window.location.hash}`
        if (history === "push") window.history.pushState(null, "", address)
        else window.history.replaceState(null, "", address)
        if (scroll) window.scrollTo(0, 0)
        if (!shallow) router.replace(address, { scroll: false })
      })
    },
    [router],
  )
  return { searchParams, pathname, updateUrl, rateLimitFactor: 3 }
})
