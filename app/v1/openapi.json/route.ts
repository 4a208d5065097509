import { serveDocument } from "@/lib/api/openapi"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument()
