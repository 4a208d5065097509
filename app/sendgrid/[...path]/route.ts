import { sendgrid } from "@/lib/faces/sendgrid/api"
import { serveFace } from "@/lib/faces/face"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveFace(sendgrid)
