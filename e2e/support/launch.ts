const args = process.getuid?.() === 0 ? ["--no-sandbox"] : []

/** The browser as people use it. */
export const wholeBrowser = { executablePath: process.env.CHROMIUM_PATH || "/usr/bin/chromium", args }

/** The same engine without a window, which takes three fifths of the time; but Tab does not leave the frame of an email. */
export const headlessShell = {
  ...wholeBrowser,
  executablePath: process.env.HEADLESS_SHELL_PATH || wholeBrowser.executablePath,
}
