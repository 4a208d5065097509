import { showLogo } from "@/lib/tracking/preferences"

type Context = { params: Promise<{ token: string }> }

export async function GET(_request: Request, { params }: Context) {
  return showLogo((await params).token)
}

export const dynamic = "force-dynamic"
