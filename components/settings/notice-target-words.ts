/** Why a post to a chat failed, and what to do. */
export function failureWords(failure: string, statusCode?: number): string {
  switch (failure) {
    case "answered":
      return `It answered ${statusCode ?? "with an error"}. Slack answers 404 or 410 once a webhook was removed: create another and save its URL.`
    case "refused":
      return "Its host leads to an address that may not be reached from here. Private networks are reached only where the operator allows them."
    case "timed_out":
      return "It did not answer within 15 seconds."
    default:
      return "It could not be reached. Check the URL."
  }
}
