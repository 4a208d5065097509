import { Button } from "@/components/ui/button"
import { CardFooter } from "@/components/ui/card"

type CursorFooterProps = { after: string; next: string | null; onAfter: (after: string) => void }

/** Newest and older; the pages between are steps of the browser's history. */
export function CursorFooter({ after, next, onAfter }: CursorFooterProps) {
  if (!after && !next) return null
  return (
    <CardFooter>
      <Button disabled={!after} onClick={() => onAfter("")}>
        Newest
      </Button>
      <Button disabled={!next} onClick={() => onAfter(next ?? "")}>
        Older
      </Button>
    </CardFooter>
  )
}
