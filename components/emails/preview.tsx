"use client"

import { useQuery } from "@tanstack/react-query"
import { Monitor, Moon, Smartphone, Sun } from "lucide-react"
import { useMemo, useState } from "react"
import { cn } from "@/components/ui/cn"
import { Hint } from "@/components/ui/callout"
import { Segmented } from "@/components/ui/segmented"
import { previewDocument } from "@/components/emails/preview-document"
import { presentBody } from "@/lib/emails/message-rules"

type PreviewProps = {
  html?: string
  text?: string
  /** The source of the message, asked for only when the HTML shows one of its parts; null where there is none yet. */
  source?: { key: readonly unknown[]; read: () => Promise<string | null> }
}

type Width = "desktop" | "phone"
type Backdrop = "light" | "dark"

/** The email as a mail program would draw it, in a frame where nothing runs and nothing is fetched. */
export function EmailPreview({ html: given, text, source }: PreviewProps) {
  const html = presentBody(given)
  const [width, setWidth] = useState<Width>("desktop")
  const [backdrop, setBackdrop] = useState<Backdrop>("light")
  const parts = useParts(html, source)
  const shown = useMemo(
    () => (html === undefined ? null : previewDocument(html, parts, backdrop === "dark")),
    [html, parts, backdrop],
  )

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2.5">
        <Segmented
          className="max-sm:hidden"
          label="Width"
          value={width}
          onChange={setWidth}
          options={[
            {
              value: "desktop",
              label: (
                <>
                  <Monitor /> Desktop
                </>
              ),
              name: "Desktop width",
            },
            {
              value: "phone",
              label: (
                <>
                  <Smartphone /> Phone
                </>
              ),
              name: "Phone width",
            },
          ]}
        />
        <Segmented
          label="Backdrop"
          value={backdrop}
          onChange={setBackdrop}
          options={[
            { value: "light", label: <Sun />, name: "Light backdrop" },
            { value: "dark", label: <Moon />, name: "Dark backdrop" },
          ]}
        />
      </div>
      {shown && shown.blocked > 0 ? (
        <Hint>
          {shown.blocked === 1 ? "One remote picture is" : `${shown.blocked} remote pictures are`} not loaded, so that
          no other server learns of this preview.
        </Hint>
      ) : null}
      <div className="bg-sunken sm:p-4">
        <div
          className={cn(
            "mx-auto overflow-hidden border-line sm:rounded-md sm:border",
            width === "phone" ? "max-w-[377px]" : "max-w-[602px]",
          )}
        >
          {shown ? (
            <iframe
              sandbox=""
              srcDoc={shown.html}
              title="Preview of the email"
              className={cn(
                "block h-130 w-full",
                backdrop === "dark" ? "bg-[#191918] scheme-dark" : "bg-white scheme-light",
              )}
            />
          ) : (
            <pre
              className={cn(
                "min-h-60 p-4 font-sans text-base [overflow-wrap:anywhere] whitespace-pre-wrap",
                backdrop === "dark" ? "bg-[#191918] text-[#eeeeec]" : "bg-white text-[#1b1b18]",
              )}
            >
              {text}
            </pre>
          )}
        </div>
      </div>
    </>
  )
}

const none: ReadonlyMap<string, string> = new Map()

function useParts(html: string | undefined, source: PreviewProps["source"]): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ["inline parts", ...(source?.key ?? [])],
    enabled: source !== undefined && html !== undefined && /["'(\s=]cid:/i.test(html),
    staleTime: ({ state }) => (state.data?.size ? Infinity : 2_000),
    queryFn: async () => {
      const raw = await source?.read()
      if (!raw) return none
      const { inlineParts } = await import("@/components/emails/inline-parts")
      return inlineParts(raw)
    },
  })
  return data ?? none
}
