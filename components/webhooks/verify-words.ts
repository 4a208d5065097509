export const verifyWords =
  "Only requests signed with your secret come from Mailroom. Verify every request before you trust it."
