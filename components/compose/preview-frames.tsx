"use client"

import { Monitor, Smartphone } from "lucide-react"
import { useEffect, useMemo, useRef, useState, type ReactNode } from "react"
import type { Fields } from "@/components/compose/fields"
import { addressWithoutName, nameOf } from "@/components/emails/address"
import { previewDocument } from "@/components/emails/preview-document"
import { presentBody } from "@/lib/emails/message-rules"

/** The message in a window of a desktop and of a phone; on a phone only the latter. */
export function PreviewFrames({
  fields: { html, text, subject, from },
  dark,
}: {
  fields: Pick<Fields, "html" | "text" | "subject" | "from">
  dark: boolean
}) {
  const shown = useMemo(
    () =>
      presentBody(html)
        ? html
        : text
          ? `<pre style="white-space:pre-wrap;font:inherit;margin:16px">${escaped(text)}</pre>`
          : "",
    [html, text],
  )
  const document = useMemo(() => previewDocument(shown, none, dark).html, [shown, dark])
  const head = (sender: string) => (
    <>
      <b className="block truncate">{subject || "No subject"}</b>
      <span className="block truncate text-xs opacity-70">{sender}</span>
    </>
  )
  return (
    <div className="grid grid-cols-1 gap-4 bg-sunken p-4 sm:grid-cols-[minmax(0,600fr)_minmax(0,375fr)]">
      <Frame
        className="max-sm:hidden"
        label="Desktop, 600 px"
        icon={<Monitor />}
        width={600}
        head={head(from)}
        {...{ document, dark }}
      />
      <Frame
        label="Phone, 375 px"
        icon={<Smartphone />}
        width={375}
        head={head(nameOf(from) || addressWithoutName(from))}
        {...{ document, dark }}
      />
    </div>
  )
}

const none: ReadonlyMap<string, string> = new Map()

type FrameProps = {
  label: string
  icon: ReactNode
  /** Pixels of the window that the message believes to have. */
  width: 600 | 375
  head: ReactNode
  document: string
  dark: boolean
  className?: string
}

/** The message laid out for a wider window than there is room for, and drawn smaller. */
function Frame({ label, icon, width, head, document, dark, className }: FrameProps) {
  return (
    <figure className={className}>
      <figcaption className="mb-2 flex items-center gap-1.5 text-xs text-muted [&_svg]:size-3.5">
        {icon}
        {label}
      </figcaption>
      <div
        className={`overflow-hidden rounded-md border border-line ${dark ? "bg-[#191918] text-[#eeeeec] scheme-dark" : "bg-white text-[#1b1b18] scheme-light"}`}
      >
        <div className="border-b border-line px-3 py-2 text-sm">{head}</div>
        <Scaled width={width} height={Math.round(width * 1.3)}>
          <iframe sandbox="" srcDoc={document} title={`Preview, ${label}`} className="block size-full" />
        </Scaled>
      </div>
    </figure>
  )
}

/** Lays its content out at this size and draws it as large as there is room. */
function Scaled({ width, height, children }: { width: number; height: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [scale, setScale] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setScale(element.clientWidth / width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [width])
  return (
    <div ref={box} className="overflow-hidden" style={{ aspectRatio: `${width} / ${height}` }}>
      <div className="origin-top-left" style={{ width, height, transform: `scale(${scale})` }}>
        {children}
      </div>
    </div>
  )
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
}
