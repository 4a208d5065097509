"use client"

import { lazy, Suspense, useState } from "react"
import type { Fields } from "@/components/compose/fields"
import { Button } from "@/components/ui/button"

const ComposeCurl = lazy(() => import("@/components/compose/curl-dialog"))

type ShowCurlProps = { projectId: string; baseUrl: string; fields: Fields }

/** The way to send the same from a program. */
export function ShowCurl({ projectId, baseUrl, fields }: ShowCurlProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Show as curl
      </Button>
      {open ? (
        <Suspense>
          <ComposeCurl fields={fields} projectId={projectId} baseUrl={baseUrl} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
