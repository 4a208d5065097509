type Named = { email: string; firstName?: string; lastName?: string }

/** First and last name; null where neither is known. */
export function fullName({ firstName, lastName }: Named): string | null {
  return [firstName, lastName].filter(Boolean).join(" ") || null
}
