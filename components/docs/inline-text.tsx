import { Fragment } from "react"
import { TextLink } from "@/components/ui/text-link"
import type { Inline } from "@/lib/docs/markdown"

/** Text with code, emphasis and links. */
export function InlineText({ content }: { content: Inline[] }) {
  return content.map((part, index) => {
    switch (part.kind) {
      case "text":
        return <Fragment key={index}>{part.text}</Fragment>
      case "strong":
        return <strong key={index}>{part.text}</strong>
      case "code":
        return (
          <code key={index} className="rounded-sm bg-wait-soft px-1 py-px break-words">
            {part.text}
          </code>
        )
      case "link":
        return (
          <TextLink key={index} href={part.href}>
            {part.text}
          </TextLink>
        )
    }
  })
}
