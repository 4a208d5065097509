"use client"

import type { KeptDraft } from "@/components/compose/drafts"
import { textOfHtml } from "@/components/compose/text-of-html"
import { writtenHtml, writtenText } from "@/components/compose/write"
import { Button } from "@/components/ui/button"
import { CardBody } from "@/components/ui/card"
import { toast } from "@/components/ui/toast"
import { presentBody } from "@/lib/emails/message-rules"

/** In the place of the editor when the HTML did not come from it. */
export default function WrittenByHand({
  draft: { fields, change },
  onTab,
}: {
  draft: KeptDraft
  onTab: (tab: string) => void
}) {
  function begin() {
    const { html, text, write } = fields
    const written = presentBody(text) ?? textOfHtml(html)
    change({ write: written, html: writtenHtml(written), text: writtenText(written) })
    toast.message("HTML replaced", {
      action: { label: "Undo", onClick: () => change({ html, text, write }) },
    })
  }
  return (
    <CardBody>
      <p className="mb-3 text-muted">
        The HTML was edited by hand, so edit it in the HTML tab. To write here, start from its text: that replaces the
        HTML and its layout.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onTab("html")}>Edit HTML</Button>
        <Button onClick={begin}>Start from its text</Button>
      </div>
    </CardBody>
  )
}
