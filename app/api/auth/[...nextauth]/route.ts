import { handleAuth } from "@/lib/access/credentials/auth-handler"

export const GET = handleAuth
export const POST = handleAuth
