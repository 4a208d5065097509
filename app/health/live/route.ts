/** The process answers. What it needs to do its work is `/health/ready`. */
export function GET() {
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } })
}

export const dynamic = "force-dynamic"
