"use client"

import { useEffect, useRef, useState } from "react"
import { useDark } from "@/components/layout/theme"
import { ErrorState } from "@/components/ui/error-state"
import { Spinner } from "@/components/ui/spinner"

type Configuration = Record<string, unknown>
type Reader = { updateConfiguration(configuration: Configuration): void; destroy?: () => void }
type Scalar = { createApiReference(element: HTMLElement, configuration: Configuration): Reader }

/** Fetched by the build with a pinned checksum (lib/server/build/reference-bundle.ts). */
const script = "/vendor/scalar-1.46.4.js"

/** The API reference. Its reader is a megabyte and is loaded after this page is shown. */
export function Reference({ nonce }: { nonce: string | undefined }) {
  const place = useRef<HTMLDivElement>(null)
  const reader = useRef<Reader>(undefined)
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading")
  const dark = useDark()
  const darkNow = useRef(dark)

  useEffect(() => {
    darkNow.current = dark
    reader.current?.updateConfiguration(configurationOf(dark))
  }, [dark])

  useEffect(() => {
    let gone = false
    loadScalar(nonce)
      .then((scalar) => {
        if (gone || !place.current) return
        reader.current = scalar.createApiReference(place.current, configurationOf(darkNow.current))
        setState("shown")
      })
      .catch(() => setState("failed"))
    return () => {
      gone = true
      reader.current?.destroy?.()
      reader.current = undefined
    }
  }, [nonce])

  return (
    <>
      {state === "loading" ? (
        <p className="flex items-center justify-center gap-2 py-24 text-muted">
          <Spinner /> Loading the reference …
        </p>
      ) : null}
      {state === "failed" ? (
        <ErrorState title="The reference could not be loaded" message="The same description is at /v1/openapi.json." />
      ) : null}
      <div ref={place} />
    </>
  )
}

function configurationOf(dark: boolean): Configuration {
  return {
    url: "/v1/openapi.json",
    // Nothing is asked of any other server: no fonts, no counting, no proxy for requests, no assistant.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    proxyUrl: "",
    hideClientButton: true,
    hideDarkModeToggle: true,
    showDeveloperTools: "never",
    forceDarkModeState: dark ? "dark" : "light",
    // Only the examples of our declarations, not those that the reader invents.
    hiddenClients: true,
    hideTestRequestButton: true,
    customCss,
  }
}

/** The reader in the fonts and colours of the other pages. */
const customCss = `
.light-mode, .dark-mode {
  --scalar-font: var(--font);
  --scalar-font-code: var(--mono);
  --scalar-background-1: var(--bg);
  --scalar-background-2: var(--sunken);
  --scalar-background-3: var(--wait-soft);
  --scalar-color-1: var(--text);
  --scalar-color-2: var(--muted);
  --scalar-color-3: var(--faint);
  --scalar-color-accent: var(--accent);
  --scalar-border-color: var(--line);
  --scalar-custom-header-height: 53px;
}
@media (max-width: 639px) {
  .light-mode, .dark-mode { --scalar-custom-header-height: 114px; }
}`

let loading: Promise<Scalar> | undefined

function loadScalar(nonce: string | undefined): Promise<Scalar> {
  loading ??= new Promise<Scalar>((resolve, reject) => {
    const element = document.createElement("script")
    element.src = script
    if (nonce) element.nonce = nonce
    element.onload = () => {
      const { Scalar: scalar } = window as unknown as { Scalar?: Scalar }
      if (scalar) resolve(scalar)
      else reject(new Error("The reader did not start."))
    }
    element.onerror = () => {
      loading = undefined
      element.remove()
      reject(new Error("The reader could not be loaded."))
    }
    document.head.append(element)
  })
  return loading
}
