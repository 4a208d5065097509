type First = { from: string; person: { email: string; name?: string }; baseUrl: string; projectId: string }

/** The first email of a project, sent to the person who set it up. */
export function firstEmail({ from, person: { email, name }, baseUrl, projectId }: First) {
  const hello = `Hello${name ? ` ${name.split(" ")[0]}` : ""},`
  const what = "This is the first email of your project. Your own Mailroom signed it, sent it and received it."
  const page = `${baseUrl}/projects/${projectId}/emails`
  return {
    from,
    to: [email],
    subject: "It works",
    text: `${hello}\n\n${what}\n\nSee how it got here: ${page}\n`,
    html: `<div style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;padding:24px"><p>${escaped(hello)}</p><p>${what}</p><p><a href="${page}" style="display:inline-block;background:#1b1b18;color:#fff;padding:10px 16px;border-radius:6px;text-decoration:none">See how it got here</a></p></div>`,
  }
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}
