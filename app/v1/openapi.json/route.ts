import { serveDocument } from "@/lib/api/serve-document"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument()
