// The process `mail` as the supervisor starts it, for tests that kill it.
import "@/lib/server/processes/mail"
