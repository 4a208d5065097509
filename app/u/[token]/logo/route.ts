import { showLogo } from "@/lib/tracking/links"

type Context = { params: Promise<{ token: string }> }

export async function GET(_request: Request, { params }: Context) {
  return showLogo((await params).token)
}

export const dynamic = "force-dynamic"
