"use client"

import { lazy, Suspense, useState, type KeyboardEvent } from "react"
import type { Fields } from "@/components/compose/fields"
import { SendTest } from "@/components/compose/send-test"
import { sendWord } from "@/components/compose/use-send"
import { Button } from "@/components/ui/button"

const CurlDialog = lazy(() =>
  import("@/components/compose/curl-dialog").then((module) => ({ default: module.CurlDialog })),
)

type SendActionsProps = { projectId: string; baseUrl: string; fields: Fields; me: string; sending: boolean }

/** What is done with what has been written; the last of them submits the form. On a phone sending is always at hand. */
export function SendActions({ projectId, baseUrl, fields, me, sending }: SendActionsProps) {
  const [curl, setCurl] = useState(false)
  return (
    <div className="mb-4 flex flex-wrap justify-end gap-2">
      <Button aria-haspopup="dialog" onClick={() => setCurl(true)}>
        Show as curl
      </Button>
      {curl ? (
        <Suspense>
          <CurlDialog fields={fields} projectId={projectId} baseUrl={baseUrl} onClose={() => setCurl(false)} />
        </Suspense>
      ) : null}
      <div className="flex gap-2 max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-10 max-sm:border-t max-sm:border-line max-sm:bg-bg max-sm:px-4 max-sm:py-3 max-sm:[&>button]:flex-1">
        <SendTest projectId={projectId} fields={fields} me={me} />
        <Button type="submit" variant="primary" loading={sending}>
          {sendWord(fields)}
        </Button>
      </div>
    </div>
  )
}

/** Ctrl or ⌘ with Enter sends, wherever one is in the form. */
export function sendByKey(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}
