import { acceptPreferenceForm, showPreferences } from "@/lib/tracking/links"

type Context = { params: Promise<{ token: string }> }

export async function GET(_request: Request, { params }: Context) {
  return showPreferences((await params).token)
}

export async function POST(request: Request, { params }: Context) {
  return acceptPreferenceForm(request, (await params).token)
}

export const dynamic = "force-dynamic"
