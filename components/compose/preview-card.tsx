"use client"

import { lazy, Suspense, useState } from "react"
import type { Fields } from "@/components/compose/fields"
import { Card, CardHeader } from "@/components/ui/card"
import { Skeleton } from "@/components/ui/skeleton"
import { Segmented } from "@/components/ui/segmented"
import { presentBody } from "@/lib/emails/message-rules"

const PreviewFrames = lazy(() =>
  import("@/components/compose/preview-frames").then((module) => ({ default: module.PreviewFrames })),
)

/** The email as it arrives, beside the editor: at the width of a desktop and, with room for both, of a phone. */
export function PreviewCard({ fields }: { fields: Fields }) {
  const [backdrop, setBackdrop] = useState<"light" | "dark">("light")
  return (
    <Card aria-labelledby="compose-preview">
      <CardHeader
        id="compose-preview"
        title="Preview"
        actions={
          <Segmented
            label="Backdrop"
            value={backdrop}
            onChange={setBackdrop}
            options={[
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        }
      />
      {presentBody(fields.html) || presentBody(fields.text) ? (
        <Suspense fallback={<Skeleton className="m-4 h-60" />}>
          <PreviewFrames fields={fields} dark={backdrop === "dark"} />
        </Suspense>
      ) : (
        <p className="px-4 py-10 text-center text-muted">Your message appears here as recipients see it.</p>
      )}
    </Card>
  )
}
