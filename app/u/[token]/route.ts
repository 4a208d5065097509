import { showUnsubscribe, unsubscribe } from "@/lib/tracking/links"

type Context = { params: Promise<{ token: string }> }

/** A scanner that follows every link changes nothing: only POST unsubscribes. */
export async function GET(_request: Request, { params }: Context) {
  return showUnsubscribe((await params).token)
}

/** The mailbox provider's one click (RFC 8058) and the button of the page alike. */
export async function POST(request: Request, { params }: Context) {
  return unsubscribe(request, (await params).token)
}

export const dynamic = "force-dynamic"
