import { takeSnsPost } from "@/lib/inbound/ses/hook"

/** Of SNS, as text/plain; its signature is the credential. */
export async function POST(request: Request, { params }: RouteContext<"/hooks/ses/[secret]">): Promise<Response> {
  return takeSnsPost(request, (await params).secret)
}

export const dynamic = "force-dynamic"
