import { postmark } from "@/lib/faces/postmark/api"
import { serveFace } from "@/lib/faces/face"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveFace(postmark)
