import { signIn } from "@/components/access/sign-in"
import { ApiProblem, call } from "@/components/data/call"

/** Signs in with any passkey of this installation that the device has. @throws ApiProblem */
export async function signInWithPasskey(wanted: string): Promise<void> {
  const { startAuthentication } = await import("@simplewebauthn/browser")
  const { options } = await call("POST /v1/session/passkey-sign-in", {})
  const answer = await askDevice(() => startAuthentication({ optionsJSON: options as never }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = answer.response
  await signIn(
    "passkey",
    { credentialId: answer.id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) },
    wanted,
  )
}

/** Has the browser ask the device. @throws ApiProblem with words for what went wrong there */
export async function askDevice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const known = error instanceof Error ? detailOf[error.name] : undefined
    const detail = known ?? "Your browser or device cannot use passkeys here."
    throw new ApiProblem({
      type: "about:blank",
      code: "passkey.not_used",
      status: 0,
      title: "No passkey was used",
      detail,
    })
  }
}

const detailOf: Record<string, string> = {
  NotAllowedError: "The request was canceled, took too long, or the device has no passkey for this address.",
  InvalidStateError: "This device has a passkey of yours already.",
}
