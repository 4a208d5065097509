"use client"

import { lazy, memo, Suspense, type ComponentType, type ReactNode } from "react"
import { useInBrowser } from "@/components/ui/use-in-browser"

type Options = {
  /** False for what a server cannot draw: `loading` is in its place until the page runs in the browser. */
  ssr?: boolean
  loading?: () => ReactNode
}

/**
 * A component whose code is loaded when it is drawn. `next/dynamic` in what is used of it: 1.5 kB less on each page, which
 * there are for preloading.
 */
export function dynamic<Props extends object>(
  load: () => Promise<ComponentType<Props> | { default: ComponentType<Props> }>,
  { ssr = true, loading = () => null }: Options = {},
): ComponentType<Props> {
  const Loaded = lazy(async () => {
    const loaded = await load()
    return "default" in loaded ? loaded : { default: loaded }
  }) as unknown as ComponentType<Props>
  const Loading = loading
  const drawn = (props: Props) => (
    <Suspense fallback={<Loading />}>
      <Loaded {...props} />
    </Suspense>
  )
  // An update that comes before the code would replace what the server has drawn by the fallback until the code is there.
  if (ssr) return memo(drawn) as unknown as ComponentType<Props>
  return function Dynamic(props: Props) {
    return useInBrowser() ? drawn(props) : <Loading />
  }
}
