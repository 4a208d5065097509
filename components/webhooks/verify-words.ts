export const verifyWords =
  "Only what was signed with your secret came from here. Check every request before you trust it."
