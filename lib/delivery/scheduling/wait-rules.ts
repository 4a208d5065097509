/** Why a scheduled email waits past its time, as it is stored with the email. */
export function rateReason(rate: number): string {
  return `This project sends ${rate} messages a second; the email is sent as soon as the rate allows.`
}

export function quotaReason(daily: number, until: Date): string {
  const minute = until.toISOString().slice(0, 16).replace("T", " ")
  return `The daily allowance of ${daily} messages is used up; the email waits until ${minute} UTC.`
}

/** Which of these reasons a stored text is; null for none. */
export function waitReasonOf(text: string | null): "rate" | "quota" | null {
  if (text?.startsWith("The daily allowance of ")) return "quota"
  return text?.startsWith("This project sends ") ? "rate" : null
}
