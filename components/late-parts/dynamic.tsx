"use client"

import {
  Activity,
  type ComponentType,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useLayoutEffect,
  useState,
  useEffect,
  useRef,
} from "react"
import { useInBrowser } from "@/components/ui/page-start"

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
  const Part = (props: Props) => (
    <Suspense fallback={<Loading />}>
      <Loaded {...props} />
    </Suspense>
  )
  if (!ssr)
    return function Dynamic(props: Props) {
      return useInBrowser() ? <Part {...props} /> : <Loading />
    }
  // The server draws an activity in its place, unlike a boundary, which it may send at the end of the page. Until its code has
  // come, what was drawn stays, unless it is updated.
  const Drawn = memo(function Drawn({ props, onRun }: { props: Props; onRun: (runs: true) => void }) {
    return (
      <Activity>
        <Loaded {...props} />
        <Running onRun={onRun} />
      </Activity>
    )
  })
  return memo(function Dynamic(props: Props) {
    const [first] = useState({ props, isDrawn: !useInBrowser() })
    const [runs, setRuns] = useState(false)
    return first.isDrawn ? <Drawn props={runs ? props : first.props} onRun={setRuns} /> : <Part {...props} />
  }) as unknown as ComponentType<Props>
}

/** Tells when the part that it is in runs: its code has come, and React has taken over what the server drew. */
function Running({ onRun }: { onRun: (runs: true) => void }) {
  useLayoutEffect(() => {
    onRun(true)
    queueMicrotask(pressAgain)
  }, [onRun])
  return null
}

/** A press that has waited for longer is one that nobody expects to be done any more. */
const keptMs = 8_000

let missed: Event | null = null

// React ends a press on what does not run yet at the document, so that nothing below hears of it.
if (typeof window !== "undefined") {
  window.addEventListener("click", (press) => (missed = press), true)
  document.documentElement.addEventListener("click", () => (missed = null), true)
}

/** Presses the button that was last pressed in vain. If it does not run yet, that is in vain again. */
function pressAgain() {
  if (missed?.target instanceof Element && performance.now() - missed.timeStamp < keptMs)
    missed.target.closest<HTMLElement>("button[type=button]")?.click()
}

/** Renders what lies further down a page, and loads its code, once its place comes into view. */
export function WhenSeen({ placeholder, children }: { placeholder: ReactNode; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)

  useEffect(() => {
    if (seen || !place.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [seen])

  return seen ? children : <div ref={place}>{placeholder}</div>
}
