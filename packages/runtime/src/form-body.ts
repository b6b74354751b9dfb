/** The message is for the caller and never quotes the form. */
export class InvalidForm extends Error {}

/** Parses `application/x-www-form-urlencoded` bytes; RFC 6749 section 3.2 allows no parameter twice. */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  const members = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(Buffer.from(bytes).toString('utf8'))) {
    if (members.has(name)) throw new InvalidForm('A parameter of the form is repeated.')
    // Invalid UTF-8 decodes to U+FFFD; PostgreSQL stores no NUL.
    if (/[\ufffd\0]/.test(name + value)) throw new InvalidForm('The form is not valid UTF-8.')
    members.set(name, value)
  }
  return Object.fromEntries(members)
}
